import { formatDistance, formatDuration, formatRate, formatShare, humanise } from './format';

it.each([
  [0, '0 ms'],
  [840, '840 ms'],
  [1_500, '1.5 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_200_000, '2 h'],
  [187_500_000, '2 d 4 h'],
])('a duration of %i ms is written as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

it.each([
  [-1_400, 'now'],
  [1_400, 'now'],
  [-180_999, '3 min ago'],
  [7_500_000, 'in 2 h 5 min'],
])('a moment %i ms from now is %s', (distance, text) => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  expect(formatDistance(new Date(now + distance).toISOString(), now)).toBe(text);
});

it('a moment of the past is never shown in the future, nor the other way round', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const at = (distance: number) => new Date(now + distance).toISOString();
  expect(formatDistance(at(5_000), now, 'past')).toBe('now');
  expect(formatDistance(at(-5_000), now, 'future')).toBe('now');
  expect(formatDistance(at(-5_000), now, 'past')).toBe('5 s ago');
  expect(formatDistance(at(5_000), now, 'future')).toBe('in 5 s');
});

it('a rate is written as 0 only if it is', () => {
  expect([0, 0.02, 0.1].map(formatRate)).toEqual(['0', '< 0.1', '0.1']);
});

it('a rate has one decimal below 100, and a share at most one', () => {
  expect([0, 12.34, 99.94, 100.4, 12_345.6].map(formatRate)).toEqual(['0', '12.3', '99.9', '100', '12,346']);
  expect([0, 0.0049, 0.125, 1].map(formatShare)).toEqual(['0%', '0.5%', '12.5%', '100%']);
});

it.each([
  ['account_failed_validation', 'Account failed validation'],
  ['DRY_RUN_ERRORED', 'Dry run errored'],
  ['skip-property__creation', 'Skip property creation'],
])('the code %s is shown as %s', (code, text) => {
  expect(humanise(code)).toBe(text);
});

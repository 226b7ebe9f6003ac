import { fullJitter, retryAfterMs, type RetryPolicy } from './retry-policy';

const policy: RetryPolicy = { baseDelayMs: 100, maxDelayMs: 1500, maxAttempts: 10, maxDurationMs: 60_000 };

it.each([
  [0, 100],
  [1, 200],
  [3, 800],
  [4, 1500],
  [30, 1500],
])('full jitter waits after failure %i for less than %i ms', (attempt, bound) => {
  expect(fullJitter(attempt, policy, () => 0)).toBe(0);
  expect(fullJitter(attempt, policy, () => 0.5)).toBe(bound / 2);
  expect(fullJitter(attempt, policy, () => 0.999_999)).toBeLessThan(bound);
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('%j means %i ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([undefined, '', 'soon'])('%j means no delay', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });
});

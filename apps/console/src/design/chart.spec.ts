import { COUNTS, DURATIONS, isEmptyChart, isolatedValues, rangeOf } from './chart';

const MAX_LABELS = 8;

it.each([
  ['counts', COUNTS],
  ['durations', DURATIONS],
])('no two labels of an axis of %s are written alike, whatever its step', (_what, { steps, format }) => {
  for (const step of steps) {
    const labels = Array.from({ length: MAX_LABELS }, (_, index) => format(index * step));
    expect(new Set(labels).size).toBe(MAX_LABELS);
  }
});

it('an axis of values begins at 0 and ends a little above the highest one', () => {
  expect(rangeOf(0)).toEqual([0, 1]);
  const [begin, end] = rangeOf(1_000);
  expect(begin).toBe(0);
  expect(end).toBeCloseTo(1_100);
});

it('a value without a neighbour is found, because a line does not show it', () => {
  expect(isolatedValues([5])).toEqual([0]);
  expect(isolatedValues([5, null, 0, null, 3, 4, undefined, 7])).toEqual([0, 2, 7]);
  expect(isolatedValues([null, 1, 2, null])).toEqual([]);
  expect(isolatedValues([])).toEqual([]);
});

it('a chart is empty if it has no value other than 0', () => {
  expect(isEmptyChart([])).toBe(true);
  expect(isEmptyChart([[60], [120, 0, null]])).toBe(true);
  expect(isEmptyChart([[60], [120, 0, 1]])).toBe(false);
});

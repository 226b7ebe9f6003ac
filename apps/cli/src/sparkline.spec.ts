import { sparkline } from './sparkline';

describe('a sparkline', () => {
  it.each([
    [[], ''],
    [[0, 0], '··'],
    [[1, 2, 3, 4, 5, 6, 7, 8], '▁▂▃▄▅▆▇█'],
    [[0, 1, 1_000_000], '·▁█'],
    [[3], '█'],
  ])('of %j is %s', (numbers, bars) => {
    expect(sparkline(numbers)).toBe(bars);
  });
});

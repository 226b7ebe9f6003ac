import { latencies, median, spread } from './statistics';

describe('statistics of a benchmark', () => {
  it('use the middle value or the mean of the two middle values', () => {
    expect(median([30, 10, 20])).toBe(20);
    expect(median([40, 10, 20, 30])).toBe(25);
    expect(spread([5, 1, 9])).toEqual({ median: 5, min: 1, max: 9 });
  });

  it('have percentiles by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(latencies(hundred)).toEqual({ p50: 50, p99: 99, max: 100 });
    expect(latencies([7])).toEqual({ p50: 7, p99: 7, max: 7 });
  });

  it('throw without values', () => {
    expect(() => median([])).toThrow(RangeError);
    expect(() => latencies([])).toThrow(RangeError);
  });
});

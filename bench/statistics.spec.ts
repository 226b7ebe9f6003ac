import { latencies, median, spread } from './statistics';

describe('statistics of a benchmark', () => {
  it('take the value in the middle, or between the two in the middle, whatever the order', () => {
    expect(median([30, 10, 20])).toBe(20);
    expect(median([40, 10, 20, 30])).toBe(25);
    expect(spread([5, 1, 9])).toEqual({ median: 5, least: 1, most: 9 });
  });

  it('name the latency that so many of a hundred requests did not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(latencies(hundred)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100 });
    expect(latencies([7])).toEqual({ p50: 7, p95: 7, p99: 7, max: 7 });
  });

  it('never make a figure out of nothing', () => {
    expect(() => median([])).toThrow(RangeError);
    expect(() => latencies([])).toThrow(RangeError);
  });
});

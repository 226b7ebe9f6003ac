/** What several rounds found: ratios are made of the medians, the ends say how calm the machine was. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface Latencies {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** @throws RangeError when there is nothing to look at: no figure is better than a wrong one */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: median(sorted), least: percentile(sorted, 0), most: percentile(sorted, 100) };
}

/** Between the two in the middle where there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  return (at(sorted, Math.ceil(half) - 1) + at(sorted, Math.floor(half))) / 2;
}

export function latencies(milliseconds: readonly number[]): Latencies {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  return {
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: percentile(sorted, 100),
  };
}

/** The least of the values that `percent` of all do not exceed (nearest rank). */
function percentile(sorted: readonly number[], percent: number): number {
  return at(sorted, Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1));
}

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new RangeError('There are no values.');
  return value;
}

/** The results of several rounds. Ratios use the medians; minimum and maximum show the noise of the machine. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** @throws RangeError if there are no values */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: median(sorted), min: percentile(sorted, 0), max: percentile(sorted, 100) };
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  return (valueAt(sorted, Math.ceil(half) - 1) + valueAt(sorted, Math.floor(half))) / 2;
}

export function latencies(milliseconds: readonly number[]): Latencies {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  return {
    p50: percentile(sorted, 50),
    p99: percentile(sorted, 99),
    max: percentile(sorted, 100),
  };
}

/** The smallest value that `percent` of the values do not exceed (nearest rank). */
function percentile(sorted: readonly number[], percent: number): number {
  return valueAt(sorted, Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1));
}

function valueAt(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new RangeError('There are no values.');
  return value;
}

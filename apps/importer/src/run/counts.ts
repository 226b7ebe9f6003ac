/** Counts by error code. */
export type CountByCode = Record<string, number>;

/** Counts by error code, in progress. */
export class Counts {
  private readonly counts = new Map<string, number>();

  add(code: string, count = 1): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + count);
  }

  /** Sorted by descending count, then by code, so that the most frequent errors come first and runs can be compared. */
  byCode(): CountByCode {
    return Object.fromEntries([...this.counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
  }
}

/** The sum of the counts. */
export function total(counts: CountByCode): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

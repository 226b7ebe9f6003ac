/** How many met with which code. */
export type CountByCode = Record<string, number>;

export class Counts {
  private readonly counts = new Map<string, number>();

  add(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
  }

  get total(): number {
    let sum = 0;
    for (const count of this.counts.values()) sum += count;
    return sum;
  }

  /** Most frequent first, so that what to mend first stands on top; equal ones by name, so that runs compare. */
  byCode(): CountByCode {
    return Object.fromEntries([...this.counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
  }
}

/** Paths that are counted one by one, and the characters of each. Lines can invent any number of names of any length. */
const MAX_PATHS = 500;
const MAX_PATH_LENGTH = 200;

/** Stands for the paths beyond them. */
export const OTHER_PATHS = '(other fields)';

/** Counts the values that an upload had in undocumented fields, by path, in bounded memory. */
export class IgnoredFieldCounts {
  private readonly counts = new Map<string, number>();

  /** @param paths paths of one account; positions in lists are counted together, as in `customers.*.nick_name` */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      const general = path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
      const isCounted =
        this.counts.has(general) || (this.counts.size < MAX_PATHS && general.length <= MAX_PATH_LENGTH);
      const counted = isCounted ? general : OTHER_PATHS;
      this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1);
    }
  }

  /** The counts, the largest first. */
  byPath(): Record<string, number> {
    return Object.fromEntries([...this.counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
  }
}

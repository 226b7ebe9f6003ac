import { type CountByCode, Counts } from './counts';

/** More different paths are counted as one, because a line can invent any number of names. */
const MAX_PATHS = 500;
const OTHER_PATHS = '(other fields)';

/** Counts the values that the service ignored, by the path of their field. */
export class IgnoredFields {
  private readonly counts = new Counts();

  /** @param paths paths of one answer; positions in lists are counted together, as in `customers.*.nick_name` */
  add(paths: readonly string[]): void {
    for (const path of paths) this.addCount(path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*'), 1);
  }

  /** @param general a path in which `*` stands for positions in lists */
  addCount(general: string, count: number): void {
    const isCounted = this.counts.has(general) || this.counts.size < MAX_PATHS;
    this.counts.add(isCounted ? general : OTHER_PATHS, count);
  }

  get total(): number {
    return this.counts.total;
  }

  byPath(): CountByCode {
    return this.counts.byCode();
  }
}

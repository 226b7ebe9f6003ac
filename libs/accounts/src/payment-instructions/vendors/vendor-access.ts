/** The base URL, key and limits of one vendor. */
export class VendorAccess {
  private readonly base: string;

  constructor(
    base: string,
    readonly key: string | undefined,
    readonly maxResponseBytes: number,
    /** Time zone of the current calendar day. */
    readonly timeZone: string,
  ) {
    this.base = base.replace(/\/+$/, '');
  }

  /** @param path begins with a slash */
  urlOf(path: string): URL {
    return new URL(this.base + path);
  }
}

/** How one vendor is reached. */
export class VendorAccess {
  private readonly base: string;

  constructor(
    base: string,
    readonly key: string | undefined,
    readonly maxAnswerBytes: number,
    /** Whose calendar day is today. */
    readonly timeZone: string,
  ) {
    this.base = base.replace(/\/+$/, '');
  }

  /** @param path begins with a slash */
  urlOf(path: string): URL {
    return new URL(this.base + path);
  }
}

/** Values of a body that is handled at once. Two thousand of the most expensive values take 40 ms. */
const MAX_VALUES = 2_000;

/** Characters of text in such a body. */
const MAX_CHARACTERS = 500_000;

/** Bodies that are known to be small, because their text is. */
const small = new WeakSet();

/**
 * Records an upper bound of the size of a parsed body, so that {@link isLarge} need not walk it.
 *
 * @param values values in the body, with or without its keys
 * @param characters characters or bytes of its text
 */
export function recordSize(body: object, values: number, characters: number): void {
  if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) small.add(body);
}

/** Records that a member of a body is not larger than the body. */
export function inheritSize(body: object, member: object): void {
  if (small.has(body)) small.add(member);
}

/** True if a JSON body is so large that its handling must pause for other requests. Reads no more than it has to. */
export function isLarge(body: unknown): boolean {
  return typeof body === 'object' && body !== null && small.has(body) ? false : new Size().exceedsWith(body);
}

class Size {
  private values = 0;
  private characters = 0;

  /** Adds a value. Returns true as soon as a limit is exceeded. */
  exceedsWith(value: unknown): boolean {
    this.values += 1;
    if (typeof value === 'string') this.characters += value.length;
    if (this.values > MAX_VALUES || this.characters > MAX_CHARACTERS) return true;
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some((member) => this.exceedsWith(member));
    for (const key in value) if (this.exceedsWith((value as Record<string, unknown>)[key])) return true;
    return false;
  }
}

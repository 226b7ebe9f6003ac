/** 128 characters, each of up to two UTF-16 units. */
const MOST_UNITS = 256;

/**
 * Whether a text may be a supplier code or an external identifier at all (DESIGN 1). What may not is not looked up:
 * PostgreSQL has no text with a NUL, and what is remembered of a lookup must not be endless.
 */
export function mayBeIdentifier(text: string): boolean {
  return text.length > 0 && text.length <= MOST_UNITS && !text.includes('\u0000');
}

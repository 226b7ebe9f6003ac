/** 128 characters, each of up to two UTF-16 units. */
const MAX_UTF16_LENGTH = 256;

/**
 * True if a text can be a supplier code or an external identifier. Other texts must not be looked up: PostgreSQL text
 * cannot contain NUL, and cached lookup keys must have a limited length.
 */
export function isPossibleIdentifier(text: string): boolean {
  return text.length > 0 && text.length <= MAX_UTF16_LENGTH && !text.includes('\u0000');
}

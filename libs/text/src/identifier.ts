import { hasInvisibleCharacter } from './invisible-text';

/** 128 characters, each of up to two UTF-16 units. */
const MAX_UTF16_LENGTH = 256;

const OTHER_SPACE = /(?! )\p{Zs}/gu;
const VISIBLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * The one spelling of an identifier: Unicode in the form NFC, ASCII spaces in the place of all others, trimmed (RFC 8265,
 * OpaqueString). Two texts that a reader cannot tell apart by their accents and spaces become equal. Invisible characters
 * are left, so that the identifier is refused.
 */
export function normalizeIdentifier(text: string): string {
  return VISIBLE_ASCII.test(text) ? text : text.normalize('NFC').replace(OTHER_SPACE, ' ').trim();
}

/**
 * Reads an identifier by which something is looked up: a code, a number or a reference in a body, a path or a query.
 *
 * @returns its one spelling; undefined if nothing can have this identifier: it is blank, longer than 256 UTF-16 units, or
 * has an invisible character, such as NUL, which PostgreSQL cannot store
 */
export function readIdentifier(text: string): string | undefined {
  if (text.length > 2 * MAX_UTF16_LENGTH) return undefined;
  const identifier = normalizeIdentifier(text);
  if (identifier === '' || identifier.length > MAX_UTF16_LENGTH) return undefined;
  return hasInvisibleCharacter(identifier) ? undefined : identifier;
}

import { buildQueryError } from '@portage/platform';

/** A part of a list, as the operator API shows it. */
export interface Page<Item> {
  items: Item[];
  /** Where to read on; null at the end. */
  next_cursor: string | null;
}

/** What to read of a list. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** Encodes where to read on. Its content can change between releases. */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * The values of a cursor.
 *
 * @throws PortageError `validation_error` unless it has exactly `count` texts, each of the form that `isValid` wants
 */
export function decodeCursor(
  cursor: string,
  count: number,
  isValid: (values: readonly string[]) => boolean,
): string[] {
  try {
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (
      Array.isArray(values) &&
      values.length === count &&
      values.every((value): value is string => typeof value === 'string' && !value.includes('\0')) &&
      isValid(values)
    )
      return values;
  } catch {
    // Answered below.
  }
  throw buildQueryError('cursor', 'cursor must be the next_cursor of the page before.');
}

/** True if the text is an id of the database. */
export function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

import { PortageError } from '@portage/platform';
import type { EventPosition } from './event-position';

/** The first part of every cursor, so that its content can change. */
const VERSION = '1';

/** A decoded cursor: the version and the parts of the position. */
const DECODED = /^1\.(\d{1,19})\.([01])\.(\d{1,19})\.(\d{1,10})\.(\d{1,10})\.([A-Z_]{0,40})$/;

const MAX_BIGINT = 2n ** 63n - 1n;
const MAX_INTEGER = 2 ** 31 - 1;

/** The opaque text by which clients know a position of a feed. */
export function formatCursor({ transaction, source, id, version, attempt, event }: EventPosition): string {
  const text = [VERSION, transaction, source, id, version, attempt, event].join('.');
  return Buffer.from(text).toString('base64url');
}

/** The position of a cursor; undefined for a text that {@link formatCursor} cannot have written. */
export function readCursor(cursor: string): EventPosition | undefined {
  const match = DECODED.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) return undefined;
  const [, transaction = '', source, id = '', version, attempt, event = ''] = match;
  const position: EventPosition = {
    transaction,
    source: source === '1' ? 1 : 0,
    id,
    event,
    version: Number(version),
    attempt: Number(attempt),
  };
  const isInRange =
    BigInt(transaction) <= MAX_BIGINT &&
    BigInt(id) <= MAX_BIGINT &&
    position.version <= MAX_INTEGER &&
    position.attempt <= MAX_INTEGER;
  return isInRange && formatCursor(position) === cursor ? position : undefined;
}

/**
 * The position of a cursor.
 *
 * @throws PortageError `validation_error` for a text that is no cursor
 */
export function requireCursor(cursor: string): EventPosition {
  const position = readCursor(cursor);
  if (position) return position;
  throw invalidCursor(
    'after must be now, or the value of next from an earlier answer, unchanged. Leave it out to read from the beginning.',
  );
}

/** The error of a cursor that cannot be used. */
export function invalidCursor(detail: string): PortageError {
  return new PortageError('validation_error', 'A query parameter is not valid.', {
    errors: [{ attr: 'after', code: 'invalid', detail }],
  });
}

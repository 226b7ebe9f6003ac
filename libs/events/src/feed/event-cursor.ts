import { buildQueryError, type PortageError } from '@portage/platform';
import type { EventPosition } from './event-position';

/** The first part of every cursor, so that its content can change. */
const VERSION = '2';

/** A decoded cursor: the version, the supplier and the parts of the position. */
const DECODED = /^2\.(\d{1,10})\.(\d{1,19})\.([01])\.(\d{1,19})\.(\d{1,10})\.(\d{1,10})\.([A-Z_]{0,40})$/;

const MAX_BIGINT = 2n ** 63n - 1n;
const MAX_INTEGER = 2 ** 31 - 1;

/** The opaque text by which clients know a position of the feed of a supplier. */
export function formatCursor(
  supplierId: number,
  { transaction, source, id, version, attempt, event }: EventPosition,
): string {
  const text = [VERSION, supplierId, transaction, source, id, version, attempt, event].join('.');
  return Buffer.from(text).toString('base64url');
}

/** The position of a cursor; undefined for a text that {@link formatCursor} cannot have written for the supplier. */
export function readCursor(supplierId: number, cursor: string): EventPosition | undefined {
  const match = DECODED.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) return undefined;
  const [, , transaction = '', source, id = '', version, attempt, event = ''] = match;
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
  return isInRange && formatCursor(supplierId, position) === cursor ? position : undefined;
}

/**
 * The position of a cursor.
 *
 * @throws PortageError `validation_error` for a text that is no cursor of the feed of the supplier
 */
export function requireCursor(supplierId: number, cursor: string): EventPosition {
  const position = readCursor(supplierId, cursor);
  if (position) return position;
  throw invalidCursor(
    'after must be now, or the value of next from an earlier answer of the same supplier, unchanged. Leave it out to read from the beginning.',
  );
}

/** The error of a cursor that cannot be used. */
export function invalidCursor(detail: string): PortageError {
  return buildQueryError('after', detail);
}

import { DatabaseUnavailable } from '@portage/database';

/**
 * True if retrying the items of a failed batch one by one may succeed for some of them: one item, or a deadlock with
 * another transaction, may have caused the failure. False while the database is unavailable, because then each of
 * them would fail.
 */
export function isItemLevelError(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable);
}

import { DatabaseUnavailable } from '../database/connection/database-unavailable';

/**
 * True if retrying the items of a failed batch one by one may succeed for some of them: one item caused the failure, or
 * two of them conflict (a deadlock). An unavailable database fails every item.
 */
export function isItemLevelError(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable);
}

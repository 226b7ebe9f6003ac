import { DatabaseUnavailable } from '@portage/database';

/**
 * Whether one item may be to blame for a batch that failed, or its meeting another (a deadlock): then each deserves a
 * try of its own. A database that is away is away for all of them.
 */
export function isItemLevelError(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable);
}

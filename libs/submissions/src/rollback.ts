import type { AccountHistory } from '@portage/imports';

/**
 * Why the rollback of a submission leaves an account alone. The first one that applies is shown.
 *
 * - `erased`: its personal data was erased, and only booked amounts are left.
 * - `has_requests`: a request was made about it after its import, or has added something to it.
 * - `corrected`: another submission, or a request by itself, has corrected it since, or is about to.
 * - `welcome_email_sent`: its customer was told of it.
 */
export const ROLLBACK_OBSTACLES = ['erased', 'has_requests', 'corrected', 'welcome_email_sent'] as const;
export type RollbackObstacle = (typeof ROLLBACK_OBSTACLES)[number];

/** Why the rollback leaves an account with this history alone; undefined if nothing is in the way. */
export function obstacleOf(history: AccountHistory): RollbackObstacle | undefined {
  if (history.isErased) return 'erased';
  if (history.additions.length > 0) return 'has_requests';
  if (history.isCorrected || history.isBeingCorrected) return 'corrected';
  return history.isEmailSent ? 'welcome_email_sent' : undefined;
}

/**
 * Why the rollback of a submission leaves an account alone. The first one that applies is shown.
 *
 * - `erased`: its personal data was erased, and only booked amounts are left.
 * - `has_requests`: a request was made about it after its import, or has added something to it.
 * - `welcome_email_sent`: its customer was told of it.
 */
export const ROLLBACK_OBSTACLES = ['erased', 'has_requests', 'welcome_email_sent'] as const;
export type RollbackObstacle = (typeof ROLLBACK_OBSTACLES)[number];

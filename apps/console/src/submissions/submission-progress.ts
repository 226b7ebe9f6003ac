import type { SubmissionSummaryView } from '../api/shapes';

/** Accounts whose dry run has succeeded, and which are not created before an operator releases them. */
export function countAwaiting({ is_dry_run: isDryRun, counts }: SubmissionSummaryView): number {
  return isDryRun ? 0 : counts.dry_run_succeeded;
}

/** How far a submission is: its accepted accounts, and how many of them have ended and failed. */
export function progressOf(submission: SubmissionSummaryView) {
  const { counts } = submission;
  const accepted = counts.received - counts.refused;
  return {
    accepted,
    ended: accepted - counts.pending - counts.in_progress - counts.correcting - countAwaiting(submission),
    failed: counts.errored + counts.dry_run_errored + counts.correction_errored,
  };
}

import type { Submission } from '@portage/client';

/** The submission of a book during a run. */
export interface SubmissionRun {
  /** The submission as it was read last. */
  submission: Submission;
  /** The counts before this run. */
  before: Submission['counts'];
  /** True if it was complete before this run, which then uploads nothing. */
  wasComplete: boolean;
}

/** The counts of a submission that has received nothing. */
export const NO_COUNTS: Readonly<Submission['counts']> = {
  received: 0,
  refused: 0,
  repeated: 0,
  unchanged: 0,
  correcting: 0,
  corrected: 0,
  would_correct: 0,
  correction_errored: 0,
  pending: 0,
  in_progress: 0,
  dry_run_succeeded: 0,
  dry_run_errored: 0,
  cancelled: 0,
  processed: 0,
  errored: 0,
};

/** The accounts that the submission has accepted, whatever became of them. */
export function acceptedOf({ received, refused }: Submission['counts']): number {
  return received - refused;
}

/** The accounts that are as the submission has sent them. */
export function importedOf({ processed, unchanged, corrected }: Submission['counts']): number {
  return processed + unchanged + corrected;
}

/** The accounts that have not come to their end. */
export function unfinishedOf({ pending, in_progress: inProgress, correcting }: Submission['counts']): number {
  return pending + inProgress + correcting;
}

/** The accounts that have come to their end. */
export function endedOf(counts: Submission['counts']): number {
  return counts.received - unfinishedOf(counts);
}

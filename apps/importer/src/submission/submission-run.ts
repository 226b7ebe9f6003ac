import type { Submission } from '@portage/client';
import type { LineGroup } from './line-groups';

/** One submission of a book during a run. */
export interface SubmissionRun {
  group: LineGroup;
  reference: string;
  /** The submission as it was read last. */
  submission: Submission;
  /** The counts before this run. */
  before: Submission['counts'];
  /** True if it was complete before this run, which then uploads nothing. */
  wasComplete: boolean;
}

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

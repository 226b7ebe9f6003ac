import type { Submission } from '@portage/client';
import type { LineGroup } from './submission-plan';

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

/** The accounts that have come to their end. */
export function endedOf({
  received,
  pending,
  in_progress: inProgress,
  correcting,
}: Submission['counts']): number {
  return received - pending - inProgress - correcting;
}

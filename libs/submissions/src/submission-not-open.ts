import { PortageError } from '@portage/platform';
import type { StoredSubmission } from './submission.repository';

/** Builds the error for a submission that takes no more accounts. */
export function submissionNotOpen({ id, status }: Pick<StoredSubmission, 'id' | 'status'>): PortageError {
  const end = status === 'ABORTED' ? 'aborted' : 'completed';
  return new PortageError(
    'submission_not_open',
    `Submission ${id} was ${end}, so it takes no more accounts. Open another one for accounts that are missing.`,
  );
}

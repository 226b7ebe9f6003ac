import type { OpenSubmissionRequest, PortageClient, PortageError } from '@portage/client';
import { UsageError } from '../usage-error';
import type { SubmissionRun } from './submission-run';

/** What becomes of accounts that are imported already. */
export type Mode = NonNullable<OpenSubmissionRequest['mode']>;

/**
 * Opens the submission of a book, or finds the one that an earlier run has opened. Uploads nothing, so that a reference
 * that is taken is reported before the first line is sent.
 *
 * @throws UsageError if the service does not open it, or it was aborted
 */
export async function openSubmission(
  portage: PortageClient,
  request: OpenSubmissionRequest,
): Promise<SubmissionRun> {
  const { data, error } = await portage.openSubmission({ body: request, throwOnError: false });
  if (data === undefined) throw explain(error, request.reference);
  if (data.status === 'ABORTED')
    throw new UsageError(
      `Submission ${data.id} (${data.reference}) was aborted, so it takes no more lines. Give --reference another name to send the book as a new submission.`,
    );
  return { submission: data, before: data.counts, wasComplete: data.status !== 'OPEN' };
}

function explain({ code, detail, errors }: PortageError, reference: string): UsageError {
  if (code === 'submission_reference_already_exists')
    return new UsageError(
      `${detail} It had another mode, other control totals or task_params, as for another file. Give the same --mode and --expected as then to go on with it, or --reference another name.`,
    );
  const fields = errors.map((error) => `${error.attr}: ${error.detail}`);
  return new UsageError(
    `The submission "${reference}" could not be opened, so nothing was sent: ${[detail, ...fields].join(' ')}`,
  );
}

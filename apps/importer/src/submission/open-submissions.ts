import type { OpenSubmissionRequest, PortageClient, PortageError } from '@portage/client';
import type { BookKind } from '../book/book-line';
import type { Expected } from '../book/expected';
import { UsageError } from '../usage-error';
import type { LineGroup } from './line-groups';
import type { SubmissionRun } from './submission-run';

/** What becomes of accounts that are imported already. */
export type Mode = NonNullable<OpenSubmissionRequest['mode']>;

/** A submission that could not be opened, because of what its lines say. */
export interface RefusedGroup {
  group: LineGroup;
  error: PortageError;
}

/** A submission that is to be opened. */
export interface PlannedSubmission {
  group: LineGroup;
  reference: string;
  expected: Expected;
}

/**
 * Opens the submissions of a book, or finds those that an earlier run has opened. Uploads nothing, so that a reference
 * that is taken is reported before the first line is sent.
 *
 * @returns the submissions, and the groups whose supplier or parameters the service does not accept
 * @throws UsageError if a reference belongs to another submission, or to one that was aborted, or if the control totals
 *   are not valid
 */
export async function openSubmissions(
  portage: PortageClient,
  planned: readonly PlannedSubmission[],
  { kind, mode }: { kind: BookKind; mode: Mode },
): Promise<{ runs: SubmissionRun[]; refused: RefusedGroup[] }> {
  const runs: SubmissionRun[] = [];
  const refused: RefusedGroup[] = [];
  for (const { group, reference, expected } of planned) {
    const { data, error } = await portage.openSubmission({
      body: {
        import_supplier: group.supplier,
        reference,
        ...(kind === 'accounts' ? { mode } : { kind }),
        expected,
        ...(group.taskParams !== undefined && { task_params: group.taskParams }),
      },
      throwOnError: false,
    });
    if (data === undefined) {
      const refusal = explain(error, reference);
      if (refusal !== undefined) throw refusal;
      refused.push({ group, error });
      continue;
    }
    if (data.status === 'ABORTED')
      throw new UsageError(
        `Submission ${data.id} (${reference}) was aborted, so it takes no more lines. Give --reference another name to send the book as a new submission.`,
      );
    const wasComplete = data.status !== 'OPEN';
    runs.push({ group, reference, submission: data, before: data.counts, wasComplete });
  }
  return { runs, refused };
}

/** @returns undefined if the lines of the submission are to blame */
function explain(error: PortageError, reference: string): UsageError | undefined {
  if (error.code === 'submission_reference_already_exists')
    return new UsageError(
      `${error.detail} It had another mode, other control totals or task_params, as for another file. Give the same --mode and --expected as then to go on with it, or --reference another name.`,
    );
  if (error.code === 'import_supplier_migration_not_ongoing') return undefined;
  const [first] = error.errors;
  if (
    error.errors.some(({ attr }) => /^(reference|kind|mode|expected)(\.|$)/.test(attr)) ||
    first === undefined
  )
    return new UsageError(
      `The submission "${reference}" could not be opened, so nothing was sent: ${describe(error)}`,
    );
  return undefined;
}

/** The error, and those of the fields. */
function describe({ detail, errors }: PortageError): string {
  const fields = errors.map((error) => `${error.attr}: ${error.detail}`);
  return [detail, ...fields].join(' ');
}

import { Injectable } from '@nestjs/common';
import { formatPayloadDigest, type SubmissionLineError } from '@portage/imports';
import { LIST_CHUNK_ROWS } from '@portage/platform';
import { lineError } from './read-line';
import {
  BEFORE_ALL,
  type Cancellation,
  type SubmissionResultRow,
  SubmissionResultsRepository,
} from './submission-results.repository';
import type { StoredSubmission } from './submission.repository';
import { Submissions } from './submissions';
import type { LineOutcome } from './line-outcome';
import type { SubmissionResult } from './submission-results.dto';

/** Lists what became of the accounts of a submission. */
@Injectable()
export class SubmissionResults {
  constructor(
    private readonly submissions: Submissions,
    private readonly results: SubmissionResultsRepository,
  ) {}

  /**
   * The results of a submission in chunks, in the order of arrival: one for each account, and one for a further line about
   * an account. Memory holds at most
   * LIST_CHUNK_ROWS of them. A line that is replaced while they are read can be missing or be listed twice.
   *
   * @param outcomes only these; undefined: all
   * @param organisationId the organisation that the submission must belong to; undefined for operators
   * @param signal ends the reading, in the middle of a statement too
   * @throws PortageError `not_found`, before the first chunk
   */
  async stream(
    id: string,
    outcomes: readonly LineOutcome[] | undefined,
    organisationId?: number,
    signal?: AbortSignal,
  ): Promise<AsyncGenerator<SubmissionResult[]>> {
    const submission = await this.submissions.require(organisationId, id);
    return this.chunks(submission, outcomes, signal);
  }

  private async *chunks(
    submission: StoredSubmission,
    outcomes: readonly LineOutcome[] | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<SubmissionResult[]> {
    let after = BEFORE_ALL;
    for (;;) {
      const { rows, last } = await this.results.read(submission, after, LIST_CHUNK_ROWS, outcomes, signal);
      if (rows.length > 0) yield rows.map(toResult);
      if (last === undefined) return;
      after = last;
    }
  }
}

function toResult(row: SubmissionResultRow): SubmissionResult {
  return {
    upload: row.uploadNumber,
    line: row.line,
    external_account_number: row.externalAccountNumber,
    kind: row.kind,
    addition: row.addition,
    outcome: row.outcome,
    platform_account_number: row.accountNumber,
    payload_digest: row.payloadDigest === null ? null : formatPayloadDigest(row.payloadDigest),
    duplicate_of:
      row.countingUpload === null || row.countingLine === null
        ? null
        : { upload: row.countingUpload, line: row.countingLine },
    documents_named: row.documentsNamed,
    documents_missing: row.documentsMissing,
    errors: errorsOf(row),
    warnings: row.warnings ?? [],
    changes: row.changes ?? [],
    change_count: row.changeCount,
  };
}

const CANCELLATIONS: Readonly<Record<Cancellation, SubmissionLineError>> = {
  rolled_back: lineError('account_rolled_back', 'The account was imported, and the operator has removed it.'),
  by_request: lineError('import_cancelled', 'The import was cancelled before it began.'),
  window_missed: lineError('schedule_window_missed', 'The import had not begun when its window ended.'),
};

/** The errors of the line, the error of its process as the status shows it, or why its process was cancelled. */
function errorsOf(row: SubmissionResultRow): SubmissionLineError[] {
  const { lineErrors, errorCode, errorDetail, cancellation } = row;
  if (lineErrors) return lineErrors;
  if (cancellation !== null) return [CANCELLATIONS[cancellation]];
  return errorCode === null ? [] : [{ code: errorCode, detail: errorDetail ?? '', attr: null }];
}

import { Injectable } from '@nestjs/common';
import { type AdditionKind, NOT_FOUND_YET } from '@portage/accounts';
import { type AccountChange, type SubmissionLineError, warningsOfProcess } from '@portage/imports';
import { Database, type FieldError, type Statement, whereNameIs } from '@portage/platform';
import type { AdditionResult } from './additions/submission-addition.entity';
import type { LineOutcome } from './line-outcome';
import type { StoredSubmission } from './submission.repository';

/** The place of a line in a submission. */
export interface LinePosition {
  uploadNumber: number;
  line: number;
}

/** The position before the first line. */
export const BEFORE_ALL: LinePosition = { uploadNumber: 0, line: 0 };

/** How a process was cancelled. */
export type Cancellation = 'rolled_back' | 'by_request' | 'window_missed';

/** A line of a submission with what became of it. */
export interface SubmissionResultRow extends LinePosition {
  externalAccountNumber: string | null;
  kind: 'account' | AdditionKind | null;
  /** Of an addition that was performed or rehearsed. */
  addition: AdditionResult | null;
  outcome: LineOutcome;
  accountNumber: string | null;
  /** Base64; null if the payload could not be read, or was erased. */
  payloadDigest: string | null;
  /** The line that counts for the account, if it is another one; with `countingLine`. */
  countingUpload: number | null;
  countingLine: number | null;
  /** The documents that the account names; null for a line that repeats another one. */
  documentsNamed: number | null;
  /** Those that were not found so far; null without an imported account. */
  documentsMissing: number | null;
  /** Set for a line without a process. */
  lineErrors: SubmissionLineError[] | null;
  /** With `errorDetail`, set for a process that has ended in an error. */
  errorCode: string | null;
  errorDetail: string | null;
  /** How a process was cancelled; null for others. */
  cancellation: Cancellation | null;
  /** Null without any. */
  warnings: FieldError[] | null;
  /** Of a correction; null for others, and where they are not known. */
  changes: AccountChange[] | null;
  changeCount: number;
}

/** The lines of one statement that match a filter. */
export interface ResultWindow {
  rows: SubmissionResultRow[];
  /** The last line that was read, whether it matches or not; undefined at the end. */
  last: LinePosition | undefined;
}

interface ReadRow extends SubmissionResultRow {
  isLast: boolean;
}

const OUTCOME_OF_CORRECTION = `CASE correction.status WHEN 'PENDING' THEN 'correcting' WHEN 'ERRORED' THEN 'correction_errored'
          WHEN 'CANCELLED' THEN 'cancelled' ELSE CASE WHEN correction.is_dry_run THEN 'would_correct' ELSE 'corrected' END END`;

const readAccounts: Statement = {
  name: 'read-submission-results',
  // The window limits the lines that are read, not those that match, so that a filter that matches few of them does not
  // make the statement longer. OFFSET 0 makes the planner use the primary key for each line.
  text: `
    WITH line AS MATERIALIZED (
      SELECT upload_number, line, process_id, imported_process_id, external_account_number, outcome, errors,
        payload_digest, documents, coalesce(process_id, imported_process_id) AS account_process_id
      FROM submission_line
      WHERE submission_id = $1 AND (upload_number, line) > ($2::integer, $3::integer)
      ORDER BY upload_number, line LIMIT $4
    ), result AS (
      SELECT line.upload_number, line.line, 'account' AS kind, NULL::json AS addition,
        coalesce(process.external_account_number, line.external_account_number) AS external_account_number,
        CASE line.outcome WHEN 'correction' THEN ${OUTCOME_OF_CORRECTION}
          ELSE coalesce(line.outcome, lower(process.status)) END AS outcome, process.account_number,
        encode(CASE WHEN line.process_id IS NULL THEN line.payload_digest ELSE process.payload_digest END, 'base64') AS payload_digest,
        coalesce(counting.upload_number, imported.upload_number) AS counting_upload,
        coalesce(counting.line, imported.line) AS counting_line,
        CASE WHEN line.outcome IS DISTINCT FROM 'repeated' THEN line.documents END AS documents_named,
        CASE WHEN process.account_number IS NOT NULL THEN missing.count END AS documents_missing,
        line.errors AS line_errors, coalesce(correction.error_code, process.error_code) AS error_code,
        coalesce(correction.error_detail, process.error_detail) AS error_detail,
        CASE WHEN line.process_id IS NOT NULL THEN process.cancellation END AS cancellation,
        process.warnings, correction.changes, coalesce(correction.change_count, 0) AS change_count,
        row_number() OVER (ORDER BY line.upload_number, line.line) = count(*) OVER () AS is_last
      FROM line LEFT JOIN LATERAL (
        SELECT external_account_number, status, account_number, error_code, error_detail, payload_digest,
          ${warningsOfProcess('import_process')} AS warnings,
          CASE WHEN status = 'CANCELLED' THEN (
            SELECT CASE WHEN event = 'ROLLED_BACK' THEN 'rolled_back'
              WHEN actor IS NULL THEN 'window_missed' ELSE 'by_request' END
            FROM import_process_event
            WHERE process_id = import_process.id AND event IN ('CANCELLED', 'ROLLED_BACK')
            ORDER BY version DESC, occurred_at DESC LIMIT 1
          ) END AS cancellation
        FROM import_process WHERE id = line.account_process_id OFFSET 0
      ) process ON true LEFT JOIN LATERAL (
        -- Nothing is read for another line.
        SELECT * FROM (
          SELECT * FROM import_process_correction
          WHERE line.outcome = 'correction' AND process_id = line.imported_process_id OFFSET 0
        ) correction WHERE submission_id = $1
      ) correction ON true LEFT JOIN LATERAL (
        -- Nothing is read for a line with a process.
        SELECT upload_number, line FROM submission_line other
        WHERE line.account_process_id IS NULL AND other.process_id = (
          SELECT CASE submission_id WHEN $1 THEN id END FROM import_process
          ${whereNameIs('external_account_number', '(SELECT supplier_id FROM submission WHERE id = $1)', 'line.external_account_number')}
        ) OFFSET 0
      ) counting ON true LEFT JOIN LATERAL (
        -- That of an account that was imported before. An account is in few submissions.
        SELECT upload_number, line FROM (
          SELECT * FROM submission_line WHERE line.account_process_id IS NULL AND imported_process_id = (
            SELECT id FROM import_process
            ${whereNameIs('external_account_number', '(SELECT supplier_id FROM submission WHERE id = $1)', 'line.external_account_number')}
          ) OFFSET 0
        ) other WHERE other.submission_id = $1
      ) imported ON true LEFT JOIN LATERAL (
        -- Nothing is read for an account without documents.
        SELECT count(*)::integer AS count FROM document
        WHERE line.account_process_id IS NOT NULL AND line.documents IS DISTINCT FROM 0 AND ${NOT_FOUND_YET}
          AND account_id = (SELECT id FROM account WHERE account.process_id = line.account_process_id)
      ) missing ON true
    )
    SELECT * FROM result WHERE is_last OR $5::text[] IS NULL OR outcome = ANY($5)
    ORDER BY upload_number, line`,
};

const readAdditions: Statement = {
  name: 'read-results-of-additions',
  // The limit is on the lines that are read, as for accounts.
  text: `
    WITH line AS MATERIALIZED (
      SELECT * FROM submission_addition WHERE submission_id = $1 AND (upload_number, line) > ($2::integer, $3::integer)
      ORDER BY upload_number, line LIMIT $4
    ), result AS (
      SELECT upload_number, line, external_account_number, kind, lower(status) AS outcome, result AS addition,
        errors AS line_errors, row_number() OVER (ORDER BY upload_number, line) = count(*) OVER () AS is_last
      FROM line
    )
    SELECT * FROM result WHERE is_last OR $5::text[] IS NULL OR outcome = ANY($5) ORDER BY upload_number, line`,
};

/** What only the row of an account has, of an addition. */
const NOT_AN_ACCOUNT = {
  accountNumber: null,
  payloadDigest: null,
  countingUpload: null,
  countingLine: null,
  documentsNamed: null,
  documentsMissing: null,
  errorCode: null,
  errorDetail: null,
  cancellation: null,
  warnings: null,
  changes: null,
  changeCount: 0,
} satisfies Partial<SubmissionResultRow>;

/** Reads the results of submissions. */
@Injectable()
export class SubmissionResultsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads the next `size` lines after a position, in the order of arrival, and returns those with one of the outcomes.
   *
   * @param outcomes undefined: all
   * @param signal cancels the statement
   */
  async read(
    { id, kind }: Pick<StoredSubmission, 'id' | 'kind'>,
    after: LinePosition,
    size: number,
    outcomes: readonly LineOutcome[] | undefined,
    signal?: AbortSignal,
  ): Promise<ResultWindow> {
    const statement = kind === 'additions' ? readAdditions : readAccounts;
    const values = [id, after.uploadNumber, after.line, size, outcomes ?? null];
    const found = await this.database.run<ReadRow>(statement, values, signal);
    const last = found.at(-1);
    return {
      rows: found
        .map(({ isLast: _, ...row }) => ({ ...NOT_AN_ACCOUNT, ...row }))
        .filter(({ outcome }) => outcomes === undefined || outcomes.includes(outcome)),
      last: last && { uploadNumber: last.uploadNumber, line: last.line },
    };
  }
}

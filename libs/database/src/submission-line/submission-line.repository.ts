import { Injectable } from '@nestjs/common';
import {
  ACTIVE_STATUSES,
  type ImportProcessStatus,
  type MeasureValues,
  statusesAllowing,
  type SubmissionLineError,
} from '@portage/domain';
import {
  type AccountLookup,
  buildFindings,
  type FindingRow,
  type Findings,
  groupFindings,
  lookupParameters,
} from '../account-lookups/account-lookups.repository';
import { Database, type Executor, type Statement } from '../connection/database';
import { newBatchId } from '../import-process/batch-id';
import type { ProcessVersion } from '../import-process/import-process-scheduling.repository';
import { whereNameIs } from '../schema/unique-name';
import type { UploadKey } from '../submission/submission-upload.repository';

/** A line with a valid account. */
export interface AccountLine {
  /** Number of the line in its upload, from 1. */
  line: number;
  externalAccountNumber: string;
  externalIdentifier: string;
  /** Of the payload and the parameters of the submission. */
  payloadHash: Buffer;
  /** Of the payload alone. */
  payloadDigest: Buffer;
  /** The account as it was sent; JSON text. */
  payload: string;
  /** Digest of the context in which the payload is valid. */
  contextDigest: string;
  measures: MeasureValues;
  /** Lookups that must find nothing; otherwise the account is not stored and the findings are returned. */
  preconditions: readonly AccountLookup[];
}

/** A line that is refused. Its payload is not stored. */
export interface RefusedLine {
  line: number;
  externalAccountNumber: string | null;
  /** SHA-256 of the account number, or of the line if none can be read: sent again, it is counted once. */
  refusedKey: Buffer;
  errors: readonly SubmissionLineError[];
  measures: MeasureValues;
}

/** The lines of an upload that one statement stores. No two lines may have the same account or external identifier. */
export interface LineBatch {
  upload: UploadKey;
  /** The API key that sent them. */
  actor: string;
  accounts: readonly AccountLine[];
  refused: readonly RefusedLine[];
}

/** The result of an account line. */
export type StoredLine =
  | { kind: 'accepted'; version: ProcessVersion }
  /** The submission has the account with the same content. */
  | { kind: 'repeated' }
  /** Not stored: the process of the account keeps another payload, or belongs to another submission or request. */
  | {
      kind: 'kept';
      status: ImportProcessStatus;
      accountNumber: string | null;
      /** True if its accepted payload is the same; null if that was erased, or is of an earlier release. */
      hasSamePayload: boolean | null;
      /** The submission that has sent the account; null if it was sent by itself. */
      submissionId: string | null;
    }
  /** Not stored: another account of the supplier has the external identifier. */
  | { kind: 'identifier-taken' }
  /** Not stored, because preconditions have findings. One list for each precondition, in their order. */
  | { kind: 'findings'; findings: Findings }
  /** Not stored: another request has stored the account, or the identifier, at the same time. */
  | { kind: 'conflict' };

/** The result of a batch: one result for each account line, in their order. */
export interface StoredBatch {
  /** The number by which the processes know the job of the batch. */
  batchId: string;
  results: StoredLine[];
}

const MEASURE_COLUMNS =
  'customers, supply_points, statements, transactions, opening_balance, payment_instructions, debts';

const MEASURE_TYPES = `customers integer, supply_points integer, statements integer, transactions integer,
          opening_balance numeric, payment_instructions integer, debts integer`;

const PREFIXED_MEASURES = (row: string) =>
  MEASURE_COLUMNS.split(', ')
    .map((column) => `${row}.${column}`)
    .join(', ');

const storeBatch: Statement = {
  name: 'store-submission-batch',
  // The lock on the submission keeps it open until the batch is committed. Existing processes are locked in the order
  // of their ids, new ones are inserted in the order of their account numbers, and the counters of the upload are
  // changed last, so that concurrent batches do not deadlock.
  text: `
    WITH ${buildFindings(10)}, target AS MATERIALIZED (
      SELECT id, supplier_id, is_dry_run, schedule_window_start, schedule_window_end
      FROM submission WHERE id = $1 AND status = 'OPEN' FOR SHARE
    ), sent AS MATERIALIZED (
      SELECT ordinal, line, account.external_account_number, external_identifier, decode(hash, 'hex') AS payload_hash,
        decode(digest, 'hex') AS payload_digest, context_digest, payload, ${PREFIXED_MEASURES('account')}
      FROM target CROSS JOIN ROWS FROM (
        json_to_recordset($4::json) AS (line integer, external_account_number text, external_identifier text, hash text,
          digest text, context_digest bigint, ${MEASURE_TYPES}),
        json_array_elements($5::json)
      ) WITH ORDINALITY AS account (line, external_account_number, external_identifier, hash, digest,
        context_digest, ${MEASURE_COLUMNS}, payload, ordinal)
    ), known AS MATERIALIZED (
      SELECT stored.id FROM target CROSS JOIN sent CROSS JOIN LATERAL (
        SELECT id FROM import_process
        ${whereNameIs('external_account_number', 'target.supplier_id', 'sent.external_account_number')}
      ) stored
    ), existing AS MATERIALIZED (
      SELECT process.id, process.external_account_number, process.status, process.account_number, process.is_dry_run,
        process.submission_id, process.payload_digest
      FROM import_process process WHERE process.id = ANY(ARRAY(SELECT id FROM known))
      ORDER BY process.id FOR NO KEY UPDATE
    ), decided AS MATERIALIZED (
      SELECT sent.*, existing.id AS process_id, existing.status, existing.account_number, existing.submission_id,
        existing.payload_digest = sent.payload_digest AS has_same_payload,
        CASE
          WHEN existing.submission_id = target.id AND existing.payload_digest = sent.payload_digest
            AND (existing.status = 'PROCESSED'
              OR (existing.status = ANY($7) AND existing.is_dry_run = target.is_dry_run)) THEN 'repeated'
          WHEN existing.id IS NOT NULL AND NOT existing.status = ANY($8) THEN 'kept'
          WHEN sent.ordinal IN (SELECT item FROM finding) THEN 'findings'
          WHEN (
            SELECT external_account_number FROM import_process
            ${whereNameIs('external_identifier', 'target.supplier_id', 'sent.external_identifier')}
          ) <> sent.external_account_number THEN 'identifier-taken'
          WHEN existing.id IS NULL THEN 'new'
          ELSE 'replace'
        END AS decision
      FROM target CROSS JOIN sent LEFT JOIN existing USING (external_account_number)
    ), inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run,
        schedule_window_start, schedule_window_end, payload_hash, payload_digest, status, latest_event, enqueued_at,
        submission_id, batch_id)
      SELECT target.supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
        schedule_window_end, payload_hash, payload_digest, 'PENDING', 'CREATED', greatest(now(), schedule_window_start),
        target.id, $9::bigint
      FROM target CROSS JOIN decided WHERE decision = 'new' ORDER BY external_account_number
      ON CONFLICT DO NOTHING
      RETURNING id, version, attempt, external_account_number
    ), replaced AS (
      UPDATE import_process process SET
        version = version + 1, attempt = 0, status = 'PENDING', external_identifier = decided.external_identifier,
        is_dry_run = target.is_dry_run, is_released = false, staging = NULL,
        schedule_window_start = target.schedule_window_start, schedule_window_end = target.schedule_window_end,
        payload_hash = decided.payload_hash, payload_digest = decided.payload_digest, latest_event = 'CREATED',
        latest_event_at = now(), error_code = NULL, error_detail = NULL, modified_at = now(),
        enqueued_at = greatest(now(), target.schedule_window_start), submission_id = target.id, batch_id = $9
      FROM target CROSS JOIN decided
      WHERE decided.decision = 'replace' AND process.id = decided.process_id
      RETURNING process.id, process.version, process.attempt, process.external_account_number
    ), stored AS MATERIALIZED (
      SELECT accepted.id, accepted.version, accepted.attempt, decided.*
      FROM (SELECT * FROM inserted UNION ALL SELECT * FROM replaced) accepted
        JOIN decided USING (external_account_number)
    ), payloads AS (
      INSERT INTO import_process_payload AS old (process_id, payload, validated_version, context_digest)
      SELECT id, payload, version, context_digest FROM stored
      ON CONFLICT (process_id) DO UPDATE SET payload = excluded.payload, received_at = now(),
        validated_version = excluded.validated_version, context_digest = excluded.context_digest
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'SCHEDULED', $3 FROM stored
    ), taken_over AS (
      UPDATE submission_line line SET process_id = NULL, outcome = 'cancelled',
        external_account_number = stored.external_account_number, errors = json_build_array(json_build_object(
          'code', 'account_taken_over', 'detail',
          'Submission ' || $1 || ' has sent this account since. Read its outcome there.', 'attr', NULL))
      FROM stored WHERE stored.decision = 'replace' AND line.process_id = stored.id AND line.submission_id <> $1
      RETURNING stored.id
    ), moved AS (
      UPDATE submission_line line SET upload_number = $2, line = stored.line,
        (${MEASURE_COLUMNS}) = ROW (${PREFIXED_MEASURES('stored')})
      FROM stored WHERE stored.decision = 'replace' AND line.process_id = stored.id AND line.submission_id = $1
      RETURNING stored.id
    ), added AS (
      -- Counts both updates first, so that no line has the process any more.
      INSERT INTO submission_line (submission_id, upload_number, line, process_id, ${MEASURE_COLUMNS})
      SELECT $1, $2, line, id, ${MEASURE_COLUMNS} FROM stored
      WHERE id NOT IN (SELECT id FROM moved) AND (SELECT count(*) FROM taken_over) >= 0
    ), accepted_after_all AS (
      DELETE FROM submission_line
      WHERE submission_id = $1
        AND refused_key = ANY(ARRAY(SELECT sha256(convert_to(external_account_number, 'UTF8')) FROM stored))
    ), refused AS (
      INSERT INTO submission_line AS old (submission_id, upload_number, line, external_account_number, refused_key,
        outcome, errors, ${MEASURE_COLUMNS})
      SELECT target.id, $2, line, external_account_number, decode(refused_key, 'hex'), 'refused', errors,
        ${MEASURE_COLUMNS}
      FROM target CROSS JOIN json_to_recordset($6::json) AS refused (line integer, external_account_number text,
        refused_key text, errors json, ${MEASURE_TYPES})
      ORDER BY refused_key
      ON CONFLICT (submission_id, refused_key) WHERE refused_key IS NOT NULL DO UPDATE SET
        upload_number = excluded.upload_number, line = excluded.line,
        external_account_number = excluded.external_account_number, errors = excluded.errors,
        (${MEASURE_COLUMNS}) = ROW (${PREFIXED_MEASURES('excluded')})
      RETURNING line
    ), repeated AS (
      SELECT count(*)::integer AS count FROM decided WHERE decision = 'repeated'
    ), counted AS (
      UPDATE submission_upload SET
        lines = lines + (SELECT count(*) FROM stored) + (SELECT count(*) FROM refused) + (SELECT count FROM repeated),
        accepted = accepted + (SELECT count(*) FROM stored), refused = refused + (SELECT count(*) FROM refused),
        repeated = repeated + (SELECT count FROM repeated), renewed_at = now()
      WHERE submission_id = (SELECT id FROM target) AND number = $2 AND (SELECT count(*) FROM taken_over) >= 0
    )
    SELECT 0 AS item, 'open' AS kind, NULL::bigint AS "processId", NULL::integer AS version, NULL::text AS status,
      NULL::text AS "accountNumber", NULL::bigint AS "submissionId",
      NULL::boolean AS "hasSamePayload", NULL::integer AS lookup, NULL::json AS finding
    FROM target
    UNION ALL
    SELECT decided.ordinal::integer, CASE
        WHEN stored.id IS NOT NULL THEN 'accepted' WHEN decided.decision = 'new' THEN 'conflict'
        ELSE decided.decision END,
      stored.id, stored.version, decided.status, decided.account_number, decided.submission_id,
      decided.has_same_payload, NULL, NULL
    FROM decided LEFT JOIN stored USING (ordinal)
    UNION ALL
    SELECT item, 'finding', NULL, NULL, NULL, NULL, NULL, NULL, lookup, finding FROM finding`,
};

const updateMeasures: Statement = {
  name: 'update-measures-of-submission-line',
  text: `
    UPDATE submission_line line SET (${MEASURE_COLUMNS}) = ROW (${PREFIXED_MEASURES('sent')})
    FROM json_to_record($2::json) AS sent (${MEASURE_TYPES}) WHERE line.process_id = $1`,
};

/** The states in which an account with the same content is left as it is. */
const REPEATABLE_STATUSES: readonly ImportProcessStatus[] = [...ACTIVE_STATUSES, 'DRY_RUN_SUCCEEDED'];

/** The states from which a line replaces its account: it has ended without an account. */
const REPLACEABLE_STATUSES = statusesAllowing('schedule').filter(
  (status) => !ACTIVE_STATUSES.includes(status),
);

/** The lines of submissions. */
@Injectable()
export class SubmissionLineRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a batch of lines in one statement: processes with their payloads and events, lines, and the counters of the
   * upload. Lines whose result is `kept`, `identifier-taken`, `findings` or `conflict` are neither stored nor counted;
   * the caller sends them again, as refused lines or without preconditions.
   *
   * @returns undefined, with nothing stored, if the submission is not open
   */
  async storeBatch(batch: LineBatch): Promise<StoredBatch | undefined> {
    const { upload, actor, accounts, refused } = batch;
    const batchId = newBatchId();
    const lookups = accounts.map(({ preconditions }) => preconditions);
    const rows = await this.database.run<BatchRow>(storeBatch, [
      ...[upload.submissionId, upload.number, actor],
      JSON.stringify(accounts.map(accountRow)),
      `[${accounts.map(({ payload }) => payload).join(',')}]`,
      JSON.stringify(refused.map(refusedRow)),
      ...[REPEATABLE_STATUSES, REPLACEABLE_STATUSES, batchId],
      ...lookupParameters(lookups),
    ]);
    if (!rows.some(({ kind }) => kind === 'open')) return undefined;
    const isFinding = (row: BatchRow): row is BatchFindingRow => row.kind === 'finding';
    const findings = groupFindings(lookups, rows.filter(isFinding));
    const results: StoredLine[] = accounts.map(() => ({ kind: 'conflict' }));
    for (const row of rows)
      if (row.item > 0 && !isFinding(row)) results[row.item - 1] = resultOf(row, findings);
    return { batchId, results };
  }

  /** Changes the measures of the line of a process whose account was sent again by itself. */
  async updateMeasures(executor: Executor, processId: string, measures: MeasureValues): Promise<void> {
    await executor.run(updateMeasures, [processId, JSON.stringify(measures)]);
  }
}

interface BatchLineRow {
  /** Number of the account line in the batch, from 1; 0 for the row that shows that the submission is open. */
  item: number;
  kind: 'open' | 'accepted' | 'repeated' | 'kept' | 'identifier-taken' | 'findings' | 'conflict';
  processId: string;
  version: number;
  status: ImportProcessStatus;
  accountNumber: string | null;
  submissionId: string | null;
  hasSamePayload: boolean | null;
}

type BatchFindingRow = FindingRow & { kind: 'finding' };

type BatchRow = BatchLineRow | BatchFindingRow;

function resultOf(row: BatchLineRow, findings: readonly (Findings | undefined)[]): StoredLine {
  const { kind, processId, version, status, accountNumber, submissionId, hasSamePayload } = row;
  if (kind === 'accepted') return { kind, version: { processId, version } };
  if (kind === 'kept') return { kind, status, accountNumber, submissionId, hasSamePayload };
  if (kind === 'findings') return { kind, findings: findings[row.item - 1] ?? [] };
  return kind === 'open' ? { kind: 'conflict' } : { kind };
}

function accountRow({ line, measures, ...account }: AccountLine): object {
  return {
    line,
    external_account_number: account.externalAccountNumber,
    external_identifier: account.externalIdentifier,
    hash: account.payloadHash.toString('hex'),
    digest: account.payloadDigest.toString('hex'),
    context_digest: account.contextDigest,
    ...measures,
  };
}

function refusedRow({ line, externalAccountNumber, refusedKey, errors, measures }: RefusedLine): object {
  return {
    line,
    external_account_number: externalAccountNumber,
    refused_key: refusedKey.toString('hex'),
    errors,
    ...measures,
  };
}

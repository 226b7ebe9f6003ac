import { Injectable } from '@nestjs/common';
import { type ImportProcessStatus, statusesAllowing, ACTIVE_STATUSES } from '@portage/domain';
import { Database, type Executor, type Statement } from '../connection/database';
import {
  buildFindings,
  type FindingRow,
  type Findings,
  groupFindings,
  lookupParameters,
  type AccountLookup,
} from '../account-lookups/account-lookups.repository';
import { whereNameIs } from '../schema/unique-name';
import { newBatchId } from './batch-id';

/** An account that a supplier has scheduled for import. */
export interface ScheduledImport {
  supplierId: number;
  externalAccountNumber: string;
  externalIdentifier: string;
  isDryRun: boolean;
  scheduleWindowStart: Date | null;
  scheduleWindowEnd: Date | null;
  /** Of the payload and its parameters. */
  payloadHash: Buffer;
  /** Of the payload alone. */
  payloadDigest: Buffer;
  /** The account as it was sent; JSON text. */
  payload: string;
  /** Digest of the context in which the payload is valid; undefined if the worker is to validate it. */
  contextDigest?: string;
  /** The API key that sent it, as the audit records it. */
  actor: string;
  /** Lookups that must find nothing; otherwise the account is not stored and the findings are returned. */
  preconditions?: readonly AccountLookup[];
}

/** An import process and its version. Jobs carry this and no personal data. */
export interface ProcessVersion {
  processId: string;
  version: number;
}

/** The result of storing a scheduled import. */
export type InsertedImport =
  /** `batchId`: the batch whose job imports it, with the others of the batch; null if it has a job of its own. */
  | { kind: 'stored'; version: ProcessVersion; batchId: string | null }
  /** Another process has the external account number or the external identifier. */
  | { kind: 'exists' }
  /**
   * The process was not stored, because preconditions have findings. One list for each precondition, in their order.
   */
  | { kind: 'findings'; findings: Findings };

/** A locked process, as a request to schedule its account again finds it. */
export interface ImportProcessState extends ProcessVersion {
  status: ImportProcessStatus;
  payloadHash: Buffer;
  /** Null for a process of an earlier release, and for an erased payload. */
  payloadDigest: Buffer | null;
  accountNumber: string | null;
  isDryRun: boolean;
  /** Unix milliseconds. */
  windowStartMs: number | null;
  /** Unix milliseconds. */
  windowEndMs: number | null;
  /** False once the schedule window has ended. */
  isWindowOpen: boolean;
  /** The submission that has sent the account last; null if it was sent by itself. */
  submissionId: string | null;
}

const insertScheduled: Statement = {
  name: 'insert-scheduled-imports',
  // ON CONFLICT without a target covers both identities; the caller then finds out which of them is taken. The
  // payloads are one JSON array, whose elements are stored unchanged: escaping each for a text[] is slower.
  text: `
    WITH ${buildFindings(13)}, new_process AS (
      SELECT * FROM ROWS FROM (unnest($1::integer[]), unnest($2::text[]), unnest($3::text[]), unnest($4::boolean[]),
        unnest($5::timestamptz[]), unnest($6::timestamptz[]), unnest($7::bytea[]), json_array_elements($8::json),
        unnest($9::text[]), unnest($10::bytea[]), unnest($11::bigint[]),
        unnest($12::bigint[])) WITH ORDINALITY
        AS new_process (supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
          schedule_window_end, payload_hash, payload, actor, payload_digest, batch_id, context_digest, ordinal)
    ), inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run,
        schedule_window_start, schedule_window_end, payload_hash, payload_digest, batch_id, status, latest_event, enqueued_at)
      SELECT supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
        schedule_window_end, payload_hash, payload_digest, batch_id, 'PENDING', 'CREATED',
        greatest(now(), schedule_window_start)
      FROM new_process WHERE ordinal NOT IN (SELECT item FROM finding)
      ON CONFLICT DO NOTHING
      RETURNING id, version, attempt, supplier_id, external_account_number
    ), stored AS (
      SELECT id, version, attempt, ordinal, payload, actor, context_digest
      FROM inserted JOIN new_process USING (supplier_id, external_account_number)
    ), payloads AS (
      INSERT INTO import_process_payload (process_id, payload, validated_version, context_digest)
      SELECT id, payload, version, context_digest FROM stored
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'SCHEDULED', actor FROM stored
    )
    SELECT ordinal::integer AS item, id AS "processId", version, NULL::integer AS lookup, NULL::json AS finding
    FROM stored
    UNION ALL
    SELECT item, NULL, NULL, lookup, finding FROM finding`,
};

const lockByExternalAccountNumber: Statement = {
  name: 'lock-import-process',
  text: `
    SELECT id AS "processId", version, status, payload_hash AS "payloadHash", payload_digest AS "payloadDigest",
      account_number AS "accountNumber", is_dry_run AS "isDryRun",
      (extract(epoch FROM schedule_window_start) * 1000)::float8 AS "windowStartMs",
      (extract(epoch FROM schedule_window_end) * 1000)::float8 AS "windowEndMs",
      coalesce(schedule_window_end > now(), true) AS "isWindowOpen", submission_id AS "submissionId"
    FROM import_process ${whereNameIs('external_account_number', '$1', '$2')}
    FOR NO KEY UPDATE`,
};

const replaceScheduled: Statement = {
  name: 'replace-scheduled-import',
  text: `
    WITH replaced AS (
      UPDATE import_process SET
        version = version + 1, attempt = 0, status = 'PENDING', external_identifier = $3, is_dry_run = $4,
        is_released = false, staging = NULL, schedule_window_start = $5::timestamptz,
        schedule_window_end = $6::timestamptz, payload_hash = $7, payload_digest = $10, latest_event = 'CREATED',
        latest_event_at = now(), error_code = NULL, error_detail = NULL, batch_id = NULL,
        modified_at = now(), enqueued_at = greatest(now(), $5::timestamptz)
      WHERE id = $1 AND status = ANY($2)
      RETURNING id, version, attempt, submission_id
    ), resumed AS (
      UPDATE submission SET finished_at = NULL
      WHERE finished_at IS NOT NULL AND id = (SELECT submission_id FROM replaced)
    ), payloads AS (
      UPDATE import_process_payload stored SET payload = $8::json, received_at = now(),
        validated_version = replaced.version, context_digest = $11::bigint
      FROM replaced WHERE stored.process_id = replaced.id
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'SCHEDULED', $9 FROM replaced
    )
    SELECT id AS "processId", version FROM replaced`,
};

const identifierIsTaken: Statement = {
  name: 'external-identifier-is-taken',
  text: `
    SELECT 1 FROM import_process
    WHERE supplier_id = $1 AND external_identifier = $2 AND external_account_number <> $3`,
};

const isActive: Statement = {
  name: 'import-is-active',
  text: `
    SELECT 1 FROM import_process
    WHERE supplier_id = $1 AND external_account_number = $2 AND payload_hash = $3 AND status = ANY($4)`,
};

/** Writes import processes as they are scheduled. The row is the truth; a job only refers to it. */
@Injectable()
export class ImportProcessSchedulingRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores new processes in one statement. No two of them may have the same external account number
   * ({@link identityOf}). Rows are written in the order of their identity to avoid deadlocks between two batches. Those
   * of one supplier are a batch, whose job the caller adds, except those with a schedule window, which start later.
   *
   * @returns a result for each, in the order of `scheduled`
   */
  async insert(
    scheduled: readonly ScheduledImport[],
    executor: Executor = this.database,
  ): Promise<InsertedImport[]> {
    const ordered = scheduled.toSorted((left, right) => (identityOf(left) < identityOf(right) ? -1 : 1));
    const lookups = ordered.map(({ preconditions = [] }) => preconditions);
    const batchIds = batchIdsOf(ordered);
    const rows = await executor.run<InsertedRow | FindingRow>(insertScheduled, [
      ordered.map((row) => row.supplierId),
      ordered.map((row) => row.externalAccountNumber),
      ordered.map((row) => row.externalIdentifier),
      ordered.map((row) => row.isDryRun),
      ordered.map((row) => row.scheduleWindowStart),
      ordered.map((row) => row.scheduleWindowEnd),
      ordered.map((row) => row.payloadHash),
      `[${ordered.map((row) => row.payload).join(',')}]`,
      ordered.map((row) => row.actor),
      ordered.map((row) => row.payloadDigest),
      batchIds,
      ordered.map((row) => row.contextDigest ?? null),
      ...lookupParameters(lookups),
    ]);
    const isFinding = (row: InsertedRow | FindingRow): row is FindingRow => row.lookup !== null;
    const results = groupFindings(lookups, rows.filter(isFinding)).map((findings): InsertedImport =>
      findings ? { kind: 'findings', findings } : { kind: 'exists' },
    );
    for (const row of rows)
      if (!isFinding(row)) {
        const { item, processId, version } = row;
        results[item - 1] = {
          ...{ kind: 'stored', version: { processId, version } },
          batchId: batchIds[item - 1] ?? null,
        };
      }
    const resultsByProcess = new Map(ordered.map((process, index) => [process, results[index]]));
    return scheduled.map((process) => resultsByProcess.get(process) as InsertedImport);
  }

  /** Reads a process and locks it until the transaction ends. */
  async lock(
    executor: Executor,
    supplierId: number,
    externalAccountNumber: string,
  ): Promise<ImportProcessState | undefined> {
    return (
      await executor.run<ImportProcessState>(lockByExternalAccountNumber, [supplierId, externalAccountNumber])
    )[0];
  }

  /** True if another process of the supplier has this external identifier. */
  async isIdentifierTaken(
    executor: Executor,
    scheduled: Pick<ScheduledImport, 'supplierId' | 'externalIdentifier' | 'externalAccountNumber'>,
  ): Promise<boolean> {
    const { supplierId, externalIdentifier, externalAccountNumber } = scheduled;
    const found = await executor.run(identifierIsTaken, [
      supplierId,
      externalIdentifier,
      externalAccountNumber,
    ]);
    return found.length > 0;
  }

  /** True if the same payload with the same parameters is scheduled, and its process is queued or running. */
  async isActive(
    scheduled: Pick<ScheduledImport, 'supplierId' | 'externalAccountNumber' | 'payloadHash'>,
  ): Promise<boolean> {
    const { supplierId, externalAccountNumber, payloadHash } = scheduled;
    const found = await this.database.run(isActive, [
      supplierId,
      externalAccountNumber,
      payloadHash,
      ACTIVE_STATUSES,
    ]);
    return found.length > 0;
  }

  /** Replaces a locked process by a new version; undefined if the state of the process forbids that. */
  async replace(
    executor: Executor,
    processId: string,
    scheduled: ScheduledImport,
  ): Promise<ProcessVersion | undefined> {
    return (
      await executor.run<ProcessVersion>(replaceScheduled, [
        processId,
        statusesAllowing('schedule'),
        ...schedulingParams(scheduled),
      ])
    )[0];
  }
}

interface InsertedRow extends ProcessVersion {
  /** Number of the process in the batch, counted from 1. */
  item: number;
  lookup: null;
}

type Identity = Pick<ScheduledImport, 'supplierId' | 'externalAccountNumber'>;

/** The batch of each row: one for each supplier that has several rows without a start of the schedule window. */
function batchIdsOf(rows: readonly ScheduledImport[]): (string | null)[] {
  const batches = new Map<number, { id: string; size: number }>();
  for (const { supplierId, scheduleWindowStart } of rows) {
    if (scheduleWindowStart !== null) continue;
    const batch = batches.get(supplierId);
    if (batch) batch.size += 1;
    else batches.set(supplierId, { id: newBatchId(), size: 1 });
  }
  return rows.map(({ supplierId, scheduleWindowStart }) => {
    const batch = scheduleWindowStart === null ? batches.get(supplierId) : undefined;
    return batch !== undefined && batch.size > 1 ? batch.id : null;
  });
}

/** The unique key of the process that an account is scheduled under. */
export function identityOf({ supplierId, externalAccountNumber }: Identity): string {
  return `${supplierId} ${externalAccountNumber}`;
}

/** The parameters of `replace-scheduled-import` that come from the request, in the statement's order. */
function schedulingParams(scheduled: ScheduledImport): unknown[] {
  return [
    scheduled.externalIdentifier,
    scheduled.isDryRun,
    scheduled.scheduleWindowStart,
    scheduled.scheduleWindowEnd,
    scheduled.payloadHash,
    scheduled.payload,
    scheduled.actor,
    scheduled.payloadDigest,
    scheduled.contextDigest ?? null,
  ];
}

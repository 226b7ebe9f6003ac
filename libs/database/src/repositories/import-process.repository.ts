import { Injectable } from '@nestjs/common';
import { type ImportProcessStatus, statusesAllowing, WORKED_ON } from '@portage/domain';
import type { QueryResultRow } from 'pg';
import { Database, type Executor, type Statement } from '../database';

/** What a supplier has scheduled. */
export interface ScheduledImport {
  supplierId: number;
  externalAccountNumber: string;
  externalIdentifier: string;
  isDryRun: boolean;
  scheduleWindowStart: Date | null;
  scheduleWindowEnd: Date | null;
  payloadHash: Buffer;
  /** JSON text of the account as it was sent. */
  payload: string;
  /** Who sent it. */
  actor: string;
}

/** Which run of which process: enough for a job, and nothing personal. */
export interface ProcessVersion {
  processId: string;
  version: number;
}

export interface ImportProcessState extends ProcessVersion {
  status: ImportProcessStatus;
  payloadHash: Buffer;
  accountNumber: string | null;
}

const insertScheduled: Statement = {
  name: 'insert-scheduled-import',
  // DO NOTHING without a target covers both identities; the caller then looks which of them is taken.
  text: `
    WITH inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run,
        schedule_window_start, schedule_window_end, payload_hash, status, latest_event, enqueued_at)
      VALUES ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, 'PENDING', 'CREATED',
        greatest(now(), $5::timestamptz))
      ON CONFLICT DO NOTHING
      RETURNING id, version, attempt
    ), kept AS (
      INSERT INTO import_process_payload (process_id, payload) SELECT id, $8::json FROM inserted
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'SCHEDULED', $9 FROM inserted
    )
    SELECT id AS "processId", version FROM inserted`,
};

const lockByExternalAccountNumber: Statement = {
  name: 'lock-import-process',
  text: `
    SELECT id AS "processId", version, status, payload_hash AS "payloadHash", account_number AS "accountNumber"
    FROM import_process WHERE supplier_id = $1 AND external_account_number = $2
    FOR NO KEY UPDATE`,
};

const replaceScheduled: Statement = {
  name: 'replace-scheduled-import',
  text: `
    WITH replaced AS (
      UPDATE import_process SET
        version = version + 1, attempt = 0, status = 'PENDING', external_identifier = $3, is_dry_run = $4,
        is_released = false, schedule_window_start = $5::timestamptz, schedule_window_end = $6::timestamptz,
        payload_hash = $7, latest_event = 'CREATED', latest_event_at = now(), error_code = NULL, error_detail = NULL,
        modified_at = now(), enqueued_at = greatest(now(), $5::timestamptz)
      WHERE id = $1 AND status = ANY($2)
      RETURNING id, version, attempt
    ), kept AS (
      UPDATE import_process_payload kept SET payload = $8::json, received_at = now()
      FROM replaced WHERE kept.process_id = replaced.id
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

const isUnderWay: Statement = {
  name: 'import-is-under-way',
  text: `
    SELECT 1 FROM import_process
    WHERE supplier_id = $1 AND external_account_number = $2 AND payload_hash = $3 AND status = ANY($4)`,
};

/** What scheduling does to import processes in PostgreSQL: the truth that jobs only point at. */
@Injectable()
export class ImportProcessRepository {
  constructor(private readonly database: Database) {}

  /** Stores a new process, or nothing where one of its identities is taken already. One statement, one commit. */
  async insert(
    scheduled: ScheduledImport,
    executor: Executor = this.database,
  ): Promise<ProcessVersion | undefined> {
    const { supplierId, externalAccountNumber } = scheduled;
    return (
      await executor.run<ProcessVersion & QueryResultRow>(insertScheduled, [
        supplierId,
        externalAccountNumber,
        ...brought(scheduled),
      ])
    )[0];
  }

  /** Reads a process and locks it until the transaction ends. */
  async lock(
    executor: Executor,
    supplierId: number,
    externalAccountNumber: string,
  ): Promise<ImportProcessState | undefined> {
    return (
      await executor.run<ImportProcessState & QueryResultRow>(lockByExternalAccountNumber, [
        supplierId,
        externalAccountNumber,
      ])
    )[0];
  }

  /** Another process of the supplier has this external identifier. */
  async isIdentifierTaken(executor: Executor, scheduled: ScheduledImport): Promise<boolean> {
    const { supplierId, externalIdentifier, externalAccountNumber } = scheduled;
    const found = await executor.run(identifierIsTaken, [
      supplierId,
      externalIdentifier,
      externalAccountNumber,
    ]);
    return found.length > 0;
  }

  /** Exactly this was scheduled, and is queued or running. */
  async isUnderWay(
    scheduled: Pick<ScheduledImport, 'supplierId' | 'externalAccountNumber' | 'payloadHash'>,
  ): Promise<boolean> {
    const { supplierId, externalAccountNumber, payloadHash } = scheduled;
    const found = await this.database.run(isUnderWay, [
      supplierId,
      externalAccountNumber,
      payloadHash,
      WORKED_ON,
    ]);
    return found.length > 0;
  }

  /** Puts a new version in the place of a locked process; undefined where its state forbids that. */
  async replace(
    executor: Executor,
    processId: string,
    scheduled: ScheduledImport,
  ): Promise<ProcessVersion | undefined> {
    return (
      await executor.run<ProcessVersion & QueryResultRow>(replaceScheduled, [
        processId,
        statusesAllowing('schedule'),
        ...brought(scheduled),
      ])
    )[0];
  }
}

/** What a request brings along, in the order in which both statements take it. */
function brought(scheduled: ScheduledImport): unknown[] {
  return [
    scheduled.externalIdentifier,
    scheduled.isDryRun,
    scheduled.scheduleWindowStart,
    scheduled.scheduleWindowEnd,
    scheduled.payloadHash,
    scheduled.payload,
    scheduled.actor,
  ];
}

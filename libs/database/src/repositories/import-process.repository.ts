import { Injectable } from '@nestjs/common';
import {
  type ImportProcessEvent,
  type ImportProcessStatus,
  type LatestEvent,
  statusesAllowing,
} from '@portage/domain';
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

export interface ImportProcessView {
  status: ImportProcessStatus;
  isDryRun: boolean;
  accountNumber: string | null;
  createdAt: string;
  modifiedAt: string;
  latestEvent: LatestEvent;
  latestEventAt: string;
  errorCode: string | null;
  errorDetail: string | null;
}

export type ListedKind = 'all' | 'pending' | 'imported';

export interface ListedImportProcess {
  processId: string;
  externalAccountNumber: string;
  accountNumber: string | null;
  accountCreatedAt: string | null;
}

/** A process whose job may have been lost. */
export interface UnfinishedProcess extends ProcessVersion {
  supplierCode: string;
  externalAccountNumber: string;
}

/** Which processes an operator means. */
export interface ProcessSelection {
  supplierId: number;
  externalAccountNumber?: string | undefined;
  statuses?: readonly ImportProcessStatus[] | undefined;
  errorCode?: string | undefined;
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
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, 'SCHEDULED' FROM inserted
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
        version = version + 1, attempt = 0, status = $2, is_dry_run = $3, is_released = false, external_identifier = $4,
        schedule_window_start = $5::timestamptz, schedule_window_end = $6::timestamptz, payload_hash = $7,
        latest_event = 'CREATED', latest_event_at = now(), error_code = NULL, error_detail = NULL,
        modified_at = now(), enqueued_at = greatest(now(), $5::timestamptz)
      WHERE id = $1
      RETURNING id, version, attempt
    ), kept AS (
      UPDATE import_process_payload SET payload = $8::json, received_at = now() WHERE process_id = $1
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, 'SCHEDULED' FROM replaced
    )
    SELECT id AS "processId", version FROM replaced`,
};

const identifierIsTaken: Statement = {
  name: 'external-identifier-is-taken',
  text: `
    SELECT 1 FROM import_process
    WHERE supplier_id = $1 AND external_identifier = $2 AND external_account_number <> $3`,
};

const VIEW = `status, is_dry_run AS "isDryRun", account_number AS "accountNumber", created_at AS "createdAt",
  modified_at AS "modifiedAt", latest_event AS "latestEvent", latest_event_at AS "latestEventAt",
  error_code AS "errorCode", error_detail AS "errorDetail"`;

const viewByExternalIdentifier: Statement = {
  name: 'view-import-process-by-identifier',
  text: `SELECT ${VIEW} FROM import_process WHERE supplier_id = $1 AND external_identifier = $2`,
};

const viewByExternalAccountNumber: Statement = {
  name: 'view-import-process-by-account-number',
  text: `SELECT ${VIEW} FROM import_process WHERE supplier_id = $1 AND external_account_number = $2`,
};

const LISTED: Record<ListedKind, string> = {
  all: `status <> 'CANCELLED'`,
  pending: `status <> 'CANCELLED' AND account_number IS NULL`,
  imported: 'account_number IS NOT NULL',
};

const listStatement = (kind: ListedKind): Statement => ({
  name: `list-${kind}-import-processes`,
  // By key, a chunk at a time: no snapshot is held open while a slow client reads.
  text: `
    SELECT id AS "processId", external_account_number AS "externalAccountNumber",
      account_number AS "accountNumber", account_created_at AS "accountCreatedAt"
    FROM import_process WHERE supplier_id = $1 AND id > $2 AND ${LISTED[kind]}
    ORDER BY id LIMIT $3`,
});
const lists: Record<ListedKind, Statement> = {
  all: listStatement('all'),
  pending: listStatement('pending'),
  imported: listStatement('imported'),
};

const idOfExternalAccountNumber: Statement = {
  name: 'id-of-import-process',
  text: 'SELECT id AS "processId" FROM import_process WHERE supplier_id = $1 AND external_account_number = $2',
};

const takeUnfinished: Statement = {
  name: 'take-unfinished-import-processes',
  // SKIP LOCKED and the new enqueued_at make several sweepers take different rows.
  text: `
    WITH taken AS (
      UPDATE import_process SET enqueued_at = now()
      WHERE id IN (
        SELECT id FROM import_process
        WHERE status IN ('PENDING', 'IN_PROGRESS') AND enqueued_at < now() - make_interval(secs => $1 / 1000.0)
        ORDER BY enqueued_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      RETURNING id, version, supplier_id, external_account_number
    )
    SELECT taken.id AS "processId", taken.version, supplier.code AS "supplierCode",
      taken.external_account_number AS "externalAccountNumber"
    FROM taken JOIN import_supplier supplier ON supplier.id = taken.supplier_id`,
};

const steer: Statement = {
  name: 'steer-import-processes',
  // One chunk of the selection, conditional on the states the action is allowed from, whatever happens meanwhile.
  // Who retries or releases means now: the window that was asked for with the request no longer cancels it.
  text: `
    WITH chosen AS (
      SELECT id FROM import_process
      WHERE supplier_id = $1 AND status = ANY($2) AND id > $6
        AND ($3::text IS NULL OR external_account_number = $3) AND ($4::text IS NULL OR error_code = $4)
      ORDER BY id LIMIT $7 FOR NO KEY UPDATE
    ), steered AS (
      UPDATE import_process process SET
        status = $5, version = version + 1, attempt = 0, error_code = NULL, error_detail = NULL,
        is_released = process.is_released OR $8 = 'RELEASED', latest_event = 'CREATED',
        latest_event_at = CASE WHEN $5 = 'PENDING' THEN now() ELSE process.latest_event_at END,
        schedule_window_end = CASE WHEN $5 = 'PENDING' THEN NULL ELSE process.schedule_window_end END,
        modified_at = now(), enqueued_at = now()
      FROM chosen WHERE process.id = chosen.id
      RETURNING process.id, process.version, process.attempt, process.external_account_number
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, $8 FROM steered
    )
    SELECT id AS "processId", version, external_account_number AS "externalAccountNumber"
    FROM steered ORDER BY id`,
};

/** Import processes in PostgreSQL: the truth that jobs only point at. */
@Injectable()
export class ImportProcessRepository {
  constructor(private readonly database: Database) {}

  /** Stores a new process, or nothing where one of its identities is taken already. One statement, one commit. */
  async insert(scheduled: ScheduledImport): Promise<ProcessVersion | undefined> {
    return (await this.database.run<ProcessVersion & QueryResultRow>(insertScheduled, columns(scheduled)))[0];
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

  /** Puts a new version in the place of a locked process. */
  async replace(
    executor: Executor,
    processId: string,
    status: ImportProcessStatus,
    scheduled: ScheduledImport,
  ): Promise<ProcessVersion> {
    const [replaced] = await executor.run<ProcessVersion & QueryResultRow>(replaceScheduled, [
      processId,
      status,
      scheduled.isDryRun,
      scheduled.externalIdentifier,
      scheduled.scheduleWindowStart,
      scheduled.scheduleWindowEnd,
      scheduled.payloadHash,
      scheduled.payload,
    ]);
    return replaced as ProcessVersion;
  }

  async viewByExternalIdentifier(
    supplierId: number,
    identifier: string,
  ): Promise<ImportProcessView | undefined> {
    return (
      await this.database.run<ImportProcessView & QueryResultRow>(viewByExternalIdentifier, [
        supplierId,
        identifier,
      ])
    )[0];
  }

  async viewByExternalAccountNumber(
    supplierId: number,
    number: string,
  ): Promise<ImportProcessView | undefined> {
    return (
      await this.database.run<ImportProcessView & QueryResultRow>(viewByExternalAccountNumber, [
        supplierId,
        number,
      ])
    )[0];
  }

  async idOf(supplierId: number, externalAccountNumber: string): Promise<string | undefined> {
    const [found] = await this.database.run<{ processId: string }>(idOfExternalAccountNumber, [
      supplierId,
      externalAccountNumber,
    ]);
    return found?.processId;
  }

  /** One chunk of a list, in the order of creation, after the process `after` (0 for the start). */
  async list(
    kind: ListedKind,
    supplierId: number,
    after: string,
    rows: number,
  ): Promise<ListedImportProcess[]> {
    return this.database.run<ListedImportProcess & QueryResultRow>(lists[kind], [supplierId, after, rows]);
  }

  /** Takes up to `rows` unfinished processes that were last enqueued longer than `milliseconds` ago. */
  async takeUnfinished(milliseconds: number, rows: number): Promise<UnfinishedProcess[]> {
    return this.database.run<UnfinishedProcess & QueryResultRow>(takeUnfinished, [milliseconds, rows]);
  }

  /**
   * Moves up to `rows` selected processes after `after` from the states that `action` allows to `to`, each with a
   * new version so that jobs of the old one do nothing.
   */
  async steer(
    selection: ProcessSelection,
    action: 'retry' | 'cancel' | 'release',
    to: ImportProcessStatus,
    event: ImportProcessEvent,
    after: string,
    rows: number,
  ): Promise<(ProcessVersion & { externalAccountNumber: string })[]> {
    const allowed = statusesAllowing(action);
    const statuses = selection.statuses?.filter((status) => allowed.includes(status)) ?? allowed;
    return this.database.run(steer, [
      selection.supplierId,
      statuses,
      selection.externalAccountNumber ?? null,
      selection.errorCode ?? null,
      to,
      after,
      rows,
      event,
    ]);
  }
}

function columns(scheduled: ScheduledImport): unknown[] {
  return [
    scheduled.supplierId,
    scheduled.externalAccountNumber,
    scheduled.externalIdentifier,
    scheduled.isDryRun,
    scheduled.scheduleWindowStart,
    scheduled.scheduleWindowEnd,
    scheduled.payloadHash,
    scheduled.payload,
  ];
}

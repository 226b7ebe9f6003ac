import { Injectable } from '@nestjs/common';
import { type ImportProcessStatus, type StagingState, statusesAllowing } from '@portage/domain';
import { Database, type Executor, type Statement } from '../connection/database';
import type { ProcessVersion, ScheduledImport } from './import-process-scheduling.repository';

/** An account to stage. */
export type StagedImport = Pick<
  ScheduledImport,
  'supplierId' | 'externalAccountNumber' | 'externalIdentifier' | 'payloadHash' | 'payload' | 'actor'
>;

/** A locked process, as requests to stage or to process its account find it. */
export interface StagingProcess extends ProcessVersion {
  status: ImportProcessStatus;
  staging: StagingState | null;
  accountNumber: string | null;
}

/** The end of one version of a process. */
export interface ProcessEnd {
  status: ImportProcessStatus;
  accountNumber: string | null;
  errorCode: string | null;
}

const insertStaged: Statement = {
  name: 'insert-staged-import',
  // The infinite enqueued_at keeps sweepers away: a staged account has no job until a request processes it.
  text: `
    WITH inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
        status, staging, latest_event, enqueued_at)
      VALUES ($1, $2, $3, $4, false, 'PENDING', 'WAITING', 'CREATED', 'infinity')
      ON CONFLICT DO NOTHING
      RETURNING id, version, attempt
    ), payloads AS (
      INSERT INTO import_process_payload (process_id, payload) SELECT id, $5::json FROM inserted
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'STAGED', $6 FROM inserted
    )
    SELECT id FROM inserted`,
};

const replaceStaged: Statement = {
  name: 'replace-staged-import',
  text: `
    WITH replaced AS (
      UPDATE import_process SET
        version = version + 1, attempt = 0, status = 'PENDING', staging = 'WAITING', external_identifier = $2,
        is_dry_run = false, is_released = false, schedule_window_start = NULL, schedule_window_end = NULL,
        payload_hash = $3, latest_event = 'CREATED', latest_event_at = now(), error_code = NULL, error_detail = NULL,
        batch_id = NULL, modified_at = now(), enqueued_at = 'infinity'
      WHERE id = $1 AND status = ANY($6)
      RETURNING id, version, attempt
    ), payloads AS (
      INSERT INTO import_process_payload AS stored (process_id, payload) SELECT id, $4::json FROM replaced
      ON CONFLICT (process_id) DO UPDATE SET payload = excluded.payload, received_at = now()
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'STAGED', $5 FROM replaced
    )
    SELECT id FROM replaced`,
};

const lockProcess: Statement = {
  name: 'lock-staging-process',
  text: `
    SELECT id AS "processId", version, status, staging, account_number AS "accountNumber"
    FROM import_process WHERE supplier_id = $1 AND external_account_number = $2
    FOR NO KEY UPDATE`,
};

const findAccountNumber: Statement = {
  name: 'account-number-of-import-process',
  text: `
    SELECT account_number AS "accountNumber" FROM import_process
    WHERE supplier_id = $1 AND external_account_number = $2 AND account_number IS NOT NULL`,
};

const submitStaged: Statement = {
  name: 'submit-staged-import',
  // As if an operator had released it: the creation mode of the supplier does not apply.
  text: `
    WITH submitted AS (
      UPDATE import_process SET
        version = version + 1, attempt = 0, status = 'PENDING', staging = 'PROCESSING', is_dry_run = $2,
        is_released = true, latest_event = 'CREATED', latest_event_at = now(), error_code = NULL, error_detail = NULL,
        batch_id = NULL, modified_at = now(), enqueued_at = 'infinity'
      WHERE id = $1 AND status = ANY($3)
      RETURNING id, version, attempt
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'SUBMITTED', $4 FROM submitted
    )
    SELECT id AS "processId", version FROM submitted`,
};

const lockProcessing: Statement = {
  name: 'lock-processing-of-supplier',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('processing', $1))`,
};

const countProcessing: Statement = {
  name: 'count-processing-imports',
  text: `
    SELECT count(*)::int AS count FROM (
      SELECT FROM import_process
      WHERE supplier_id = $1 AND staging = 'PROCESSING' AND status IN ('PENDING', 'IN_PROGRESS') LIMIT $2
    ) AS processing`,
};

const readEnd: Statement = {
  name: 'end-of-import-process',
  text: `
    SELECT status, account_number AS "accountNumber", error_code AS "errorCode"
    FROM import_process WHERE id = $1 AND version = $2`,
};

const readPayload: Statement = {
  name: 'payload-of-import-process',
  text: 'SELECT payload FROM import_process_payload WHERE process_id = $1',
};

/** Writes import processes of accounts that are staged (v1) and processed on request. */
@Injectable()
export class ImportProcessStagingRepository {
  constructor(private readonly database: Database) {}

  /** Stores a new process that waits for a request; false if the account number or the identifier is taken. */
  async insert(executor: Executor, staged: StagedImport): Promise<boolean> {
    const { supplierId, externalAccountNumber, externalIdentifier, payloadHash, payload, actor } = staged;
    const rows = await executor.run(insertStaged, [
      ...[supplierId, externalAccountNumber, externalIdentifier],
      ...[payloadHash, payload, actor],
    ]);
    return rows.length > 0;
  }

  /** Replaces a locked process by a new version that waits for a request; false if its status forbids that. */
  async replace(executor: Executor, processId: string, staged: StagedImport): Promise<boolean> {
    const { externalIdentifier, payloadHash, payload, actor } = staged;
    const rows = await executor.run(replaceStaged, [
      ...[processId, externalIdentifier, payloadHash, payload, actor],
      statusesAllowing('stage'),
    ]);
    return rows.length > 0;
  }

  /** Reads the process of an account and locks it until the transaction ends. */
  async lock(
    executor: Executor,
    supplierId: number,
    externalAccountNumber: string,
  ): Promise<StagingProcess | undefined> {
    return (await executor.run<StagingProcess>(lockProcess, [supplierId, externalAccountNumber]))[0];
  }

  /** The platform account number of an imported account; undefined if it is not imported. */
  async findAccountNumber(supplierId: number, externalAccountNumber: string): Promise<string | undefined> {
    const values = [supplierId, externalAccountNumber];
    return (await this.database.run<{ accountNumber: string }>(findAccountNumber, values))[0]?.accountNumber;
  }

  /** Makes a locked process ready to be processed, as a new version; undefined if its status forbids that. */
  async submit(
    executor: Executor,
    processId: string,
    { isDryRun, actor }: { isDryRun: boolean; actor: string },
  ): Promise<ProcessVersion | undefined> {
    const values = [processId, isDryRun, statusesAllowing('submit'), actor];
    return (await executor.run<ProcessVersion>(submitStaged, values))[0];
  }

  /**
   * True if requests process `limit` accounts of the supplier at the moment. Concurrent callers wait for each other
   * until their transactions end, so that the limit holds for all of them together.
   */
  async isProcessingLimitReached(executor: Executor, supplierId: number, limit: number): Promise<boolean> {
    await executor.run(lockProcessing, [supplierId]);
    const [row] = await executor.run<{ count: number }>(countProcessing, [supplierId, limit]);
    return (row?.count ?? 0) >= limit;
  }

  /** The state of a version; undefined if the process has another version by now. */
  async readVersion({ processId, version }: ProcessVersion): Promise<ProcessEnd | undefined> {
    return (await this.database.run<ProcessEnd>(readEnd, [processId, version]))[0];
  }

  /** The account of a process as it was sent; undefined if it was erased. */
  async readPayload(
    processId: string,
    executor: Executor = this.database,
  ): Promise<Record<string, unknown> | undefined> {
    return (await executor.run<{ payload: Record<string, unknown> }>(readPayload, [processId]))[0]?.payload;
  }
}

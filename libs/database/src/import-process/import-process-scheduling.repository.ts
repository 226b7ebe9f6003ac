import { Injectable } from '@nestjs/common';
import { type ImportProcessStatus, statusesAllowing, ACTIVE_STATUSES } from '@portage/domain';
import type { QueryResultRow } from 'pg';
import { Database, type Executor, type Statement } from '../connection/database';
import {
  findings,
  type LookupQuestion,
  questionParameters,
} from '../account-lookups/account-lookups.repository';

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
  /** It is stored only if nothing is found for these. */
  preconditions?: readonly LookupQuestion[];
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
  name: 'insert-scheduled-imports',
  // DO NOTHING without a target covers both identities; the caller then looks which of them is taken. The payloads
  // are one JSON array, whose elements keep their text: escaping each for a text[] costs more than it is worth.
  text: `
    WITH ${findings(10)}, given AS (
      SELECT * FROM ROWS FROM (unnest($1::integer[]), unnest($2::text[]), unnest($3::text[]), unnest($4::boolean[]),
        unnest($5::timestamptz[]), unnest($6::timestamptz[]), unnest($7::bytea[]), json_array_elements($8::json),
        unnest($9::text[])) WITH ORDINALITY
        AS given (supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
          schedule_window_end, payload_hash, payload, actor, place)
    ), inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run,
        schedule_window_start, schedule_window_end, payload_hash, status, latest_event, enqueued_at)
      SELECT supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
        schedule_window_end, payload_hash, 'PENDING', 'CREATED', greatest(now(), schedule_window_start)
      FROM given WHERE place NOT IN (SELECT question FROM finding)
      ON CONFLICT DO NOTHING
      RETURNING id, version, attempt, supplier_id, external_account_number
    ), stored AS (
      SELECT inserted.*, payload, actor FROM inserted JOIN given USING (supplier_id, external_account_number)
    ), kept AS (
      INSERT INTO import_process_payload (process_id, payload) SELECT id, payload FROM stored
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'SCHEDULED', actor FROM stored
    )
    SELECT id AS "processId", version, supplier_id AS "supplierId", external_account_number AS "externalAccountNumber"
    FROM inserted`,
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

  /**
   * Stores new processes in one statement: a result for each, undefined where one of its identities is taken already or
   * something is found that must not be. No two of them may have the same external account number.
   *
   * They are written in the order of their numbers, so that two that write the same do not wait for each other.
   */
  async insert(
    scheduled: readonly ScheduledImport[],
    executor: Executor = this.database,
  ): Promise<(ProcessVersion | undefined)[]> {
    const ordered = scheduled.toSorted((one, other) => (identityOf(one) < identityOf(other) ? -1 : 1));
    const rows = await executor.run<ProcessVersion & Identity & QueryResultRow>(insertScheduled, [
      ordered.map((one) => one.supplierId),
      ordered.map((one) => one.externalAccountNumber),
      ordered.map((one) => one.externalIdentifier),
      ordered.map((one) => one.isDryRun),
      ordered.map((one) => one.scheduleWindowStart),
      ordered.map((one) => one.scheduleWindowEnd),
      ordered.map((one) => one.payloadHash),
      `[${ordered.map((one) => one.payload).join(',')}]`,
      ordered.map((one) => one.actor),
      ...questionParameters(ordered.map(({ preconditions = [] }) => preconditions)),
    ]);
    const inserted = new Map(rows.map((row) => [identityOf(row), row]));
    return scheduled.map((one) => {
      const row = inserted.get(identityOf(one));
      return row && { processId: row.processId, version: row.version };
    });
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
      ACTIVE_STATUSES,
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
        ...schedulingParams(scheduled),
      ])
    )[0];
  }
}

type Identity = Pick<ScheduledImport, 'supplierId' | 'externalAccountNumber'>;

/** Of the process that an account is scheduled under. */
export function identityOf({ supplierId, externalAccountNumber }: Identity): string {
  return `${supplierId} ${externalAccountNumber}`;
}

/** What a request brings along, in the order in which the statement takes it. */
function schedulingParams(scheduled: ScheduledImport): unknown[] {
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

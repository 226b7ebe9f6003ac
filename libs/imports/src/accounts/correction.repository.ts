import { Injectable } from '@nestjs/common';
import {
  anyOf,
  Database,
  type Executor,
  type FieldError,
  type Statement,
  translateErrors,
  unnestArrays,
  updateOldest,
} from '@portage/platform';
import { In } from 'typeorm';
import { type StartedImport, SUPPLIER_OBJECT } from './account-import.repository';
import type { ImportFailure } from './import-failure';
import type { FailedRun } from './import-outcomes';
import type { ExistingProcess, ProcessVersion } from '../processes/pending-process.repository';
import type { AccountChange } from '../processes/account-changes';
import { ImportProcessCorrectionEntity } from '../processes/import-process-correction.entity';

/** A correction to store as PENDING. */
export interface NewCorrection {
  /** Null if they are not known, because the imported payload was erased. */
  changes: AccountChange[] | null;
  /** The number of all changes. */
  count: number;
  /** The process, as it was read: it must not have changed since. */
  process: Pick<ExistingProcess, 'processId' | 'version'>;
  isDryRun: boolean;
  payloadHash: Buffer;
  payloadDigest: Buffer;
  /** The account as it was sent; JSON text. */
  payload: string;
  contextDigest: string | null;
  /** The API key that sent it. */
  actor: string;
  submissionId: string | null;
}

/** A pending correction, with what a worker needs to perform it. */
export interface PendingCorrection extends ProcessVersion {
  attempt: number;
  isDryRun: boolean;
  externalAccountNumber: string;
  payload: Record<string, unknown>;
  contextDigest: string | null;
  accountNumber: string;
  /** The time of the import, by which statement periods were made; PostgreSQL's text. Null if the account is gone. */
  importedAt: string | null;
  supplier: StartedImport['supplier'];
}

/** A correction that was performed, with the warnings of the account and its identifier from now on. */
export interface PerformedCorrection {
  correction: Pick<PendingCorrection, 'processId' | 'version'>;
  externalIdentifier: string;
  warnings: readonly FieldError[];
}

const write: Statement = {
  name: 'write-corrections',
  // The version decides: of two corrections that have read the same version, one is written.
  text: `
    WITH sent AS MATERIALIZED (
      SELECT * FROM ROWS FROM (unnest($1::bigint[]), unnest($2::integer[]), unnest($3::boolean[]), unnest($4::bytea[]),
        unnest($5::bytea[]), json_array_elements($6::json), unnest($7::bigint[]), json_array_elements($8::json),
        unnest($9::integer[]), unnest($10::text[]), unnest($11::bigint[])) AS sent (process_id, version, is_dry_run,
        payload_hash, payload_digest, payload, context_digest, changes, change_count, actor, batch_id)
    ), locked AS MATERIALIZED (
      SELECT id FROM import_process WHERE id = ${anyOf('$1::bigint[]')} ORDER BY id FOR NO KEY UPDATE
    ), versioned AS (
      UPDATE import_process process SET version = process.version + 1, attempt = 0, modified_at = now()
      FROM sent JOIN locked ON locked.id = sent.process_id
      WHERE process.id = sent.process_id AND process.version = sent.version AND process.status = 'PROCESSED'
        AND process.payload_hash <> '' AND NOT EXISTS (
          SELECT FROM import_process_correction pending WHERE pending.process_id = sent.process_id AND status = 'PENDING'
        )
      RETURNING process.id, process.version, process.supplier_id
    ), written AS (
      INSERT INTO import_process_correction (process_id, version, supplier_id, submission_id, is_dry_run, payload,
        payload_hash, payload_digest, context_digest, changes, change_count, actor, batch_id)
      SELECT versioned.id, versioned.version, supplier_id, $12::bigint, is_dry_run, payload, payload_hash, payload_digest,
        context_digest, changes, change_count, actor, batch_id
      FROM versioned JOIN sent ON sent.process_id = versioned.id
      RETURNING process_id, version, actor
    ), superseded AS (
      -- A submission counts one correction of an account: the last one.
      UPDATE import_process_correction earlier SET submission_id = NULL FROM versioned
      WHERE earlier.process_id = versioned.id AND earlier.submission_id = $12::bigint
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT process_id, version, 0, 'CORRECTION_SCHEDULED', actor FROM written
    )
    SELECT process_id, version FROM written`,
};

/** The versions `$1`, `$2` of a job. */
const JOB = unnestArrays('$1::bigint[], $2::integer[]');

const isOfJob = `correction.process_id = ${anyOf('$1::bigint[]')} AND correction.process_id = job.process_id
        AND correction.version = job.version AND correction.status = 'PENDING'`;

const read: Statement = {
  name: 'read-corrections',
  // The account of a later version of the process is another one: the corrected account was removed before.
  text: `
    SELECT correction.process_id, correction.version, correction.attempt, correction.is_dry_run,
      process.external_account_number, correction.payload, correction.context_digest, process.account_number,
      (SELECT min(closed_at) FROM statement_period WHERE position = 0
        AND account_id = (SELECT id FROM account WHERE account.process_id = process.id)
        AND process.version = correction.version) AS imported_at,
      ${SUPPLIER_OBJECT} AS supplier
    FROM ${JOB} AS job (process_id, version) JOIN import_process_correction correction ON ${isOfJob}
    JOIN import_process process ON process.id = correction.process_id
    JOIN import_supplier supplier ON supplier.id = process.supplier_id
    WHERE supplier.status <> 'Paused'`,
};

const succeed: Statement = {
  name: 'succeed-corrections',
  text: `
    WITH performed AS MATERIALIZED (
      SELECT job.*, correction.payload, correction.payload_hash, correction.payload_digest, correction.context_digest,
        correction.supplier_id, correction.submission_id
      FROM ${unnestArrays('$1::bigint[], $2::integer[], $3::text[], $4::text[]')}
        AS job (process_id, version, external_identifier, warnings)
      JOIN import_process_correction correction ON ${isOfJob}
      ORDER BY job.process_id FOR UPDATE OF correction
    ), ended AS (
      UPDATE import_process_correction correction SET status = 'SUCCEEDED', ended_at = now(), payload = NULL
      FROM performed WHERE correction.process_id = performed.process_id AND correction.version = performed.version
      RETURNING correction.process_id
    ), process AS (
      UPDATE import_process process SET payload_hash = performed.payload_hash, payload_digest = performed.payload_digest,
        external_identifier = performed.external_identifier, warnings = performed.warnings::json, modified_at = now()
      FROM performed WHERE process.id = ${anyOf('$1::bigint[]')} AND process.id = performed.process_id
      RETURNING process.id
    ), payloads AS (
      INSERT INTO import_process_payload AS old (process_id, payload, context_digest)
      SELECT process_id, payload, context_digest FROM performed
      ON CONFLICT (process_id) DO UPDATE SET payload = excluded.payload, received_at = now(),
        context_digest = excluded.context_digest
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, submission_id, transaction_id)
      SELECT process_id, version, 0, 'CORRECTED', supplier_id, submission_id, event_transaction_id() FROM performed
    )
    SELECT process_id FROM performed`,
};

const end: Statement = {
  name: 'end-corrections',
  // Without a code it is a dry run that found no error.
  text: `
    WITH ended AS (
      UPDATE import_process_correction correction SET status = CASE WHEN job.code IS NULL THEN 'SUCCEEDED' ELSE 'ERRORED' END,
        error_code = job.code, error_detail = job.detail, ended_at = now(), payload = NULL
      FROM ${unnestArrays('$1::bigint[], $2::integer[], $3::text[], $4::text[]')} AS job (process_id, version, code, detail)
      WHERE ${isOfJob}
      RETURNING correction.*
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, error_code, supplier_id, submission_id,
        transaction_id)
      SELECT process_id, version, 0, CASE WHEN error_code IS NULL THEN 'CORRECTION_REHEARSED'
        WHEN is_dry_run THEN 'CORRECTION_REHEARSAL_ERRORED' ELSE 'CORRECTION_ERRORED' END, error_code, supplier_id,
        submission_id, event_transaction_id() FROM ended
    )
    SELECT process_id FROM ended`,
};

/** The statements about corrections: accept them, read them for a worker, and end them. A batch is one statement. */
@Injectable()
export class CorrectionRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores corrections of processes that are PROCESSED, have not changed since they were read, and have no pending
   * correction. Each is the next version of its process.
   *
   * @param batchId the batch whose job performs them; null for one with a job of its own
   * @returns for each, in their order, its version; undefined where the process has changed
   */
  async write(
    corrections: readonly NewCorrection[],
    batchId: string | null,
    executor: Executor = this.database,
  ): Promise<(ProcessVersion | undefined)[]> {
    const rows = await executor.run<ProcessVersion>(write, [
      corrections.map(({ process }) => process.processId),
      corrections.map(({ process }) => process.version),
      corrections.map(({ isDryRun }) => isDryRun),
      corrections.map(({ payloadHash }) => payloadHash),
      corrections.map(({ payloadDigest }) => payloadDigest),
      `[${corrections.map(({ payload }) => payload).join(',')}]`,
      corrections.map(({ contextDigest }) => contextDigest),
      JSON.stringify(corrections.map(({ changes }) => changes)),
      corrections.map(({ count }) => count),
      corrections.map(({ actor }) => actor),
      corrections.map(() => batchId),
      corrections[0]?.submissionId ?? null,
    ]);
    const written = new Map(rows.map((row) => [row.processId, row]));
    return corrections.map(({ process }) => written.get(process.processId));
  }

  /**
   * The pending corrections among versions of a job, unless their supplier is paused.
   *
   * @param isFirstRun false counts the run, so that a correction that crashes its workers ends
   * @returns one for each, in their order; undefined for others
   */
  async read(
    versions: readonly ProcessVersion[],
    isFirstRun: boolean,
  ): Promise<(PendingCorrection | undefined)[]> {
    const rows = await this.database.run<PendingCorrection>(read, [
      versions.map(({ processId }) => processId),
      versions.map(({ version }) => version),
    ]);
    if (!isFirstRun && rows.length > 0) await this.countRun(rows);
    const found = new Map(rows.map((row) => [row.processId, row]));
    return versions.map(({ processId }) => found.get(processId));
  }

  /**
   * Ends corrections with success: their processes have what they were sent, with the event CORRECTED. The caller corrects the
   * accounts in the same transaction.
   *
   * @returns for each, in their order: false if it has ended before
   */
  async succeed(executor: Executor, performed: readonly PerformedCorrection[]): Promise<boolean[]> {
    const rows = await executor.run<{ processId: string }>(succeed, [
      performed.map(({ correction }) => correction.processId),
      performed.map(({ correction }) => correction.version),
      performed.map(({ externalIdentifier }) => externalIdentifier),
      performed.map(({ warnings }) => (warnings.length === 0 ? null : JSON.stringify(warnings))),
    ]);
    const ended = new Set(rows.map(({ processId }) => processId));
    return performed.map(({ correction }) => ended.has(correction.processId));
  }

  /** Ends dry runs that found no error. Returns for each, in their order: false if it has ended before. */
  async succeedDryRuns(corrections: readonly ProcessVersion[]): Promise<boolean[]> {
    return this.end(corrections, []);
  }

  /** Ends corrections with an error. Returns for each, in their order: false if it has ended before. */
  async fail(failed: readonly FailedRun<ProcessVersion>[]): Promise<boolean[]> {
    return this.end(
      failed.map(({ started }) => started),
      failed.map(({ failure }) => failure),
    );
  }

  /** Cancels up to `rows` pending corrections of a submission. Returns their number. */
  async cancel(submissionId: string, rows: number): Promise<number> {
    return updateOldest(
      this.database.manager,
      ImportProcessCorrectionEntity,
      {
        where: `old.submissionId = :submissionId AND old.status = 'PENDING'`,
        parameters: { submissionId },
        orderBy: 'processId',
        limit: rows,
      },
      { status: 'CANCELLED', endedAt: () => 'now()', payload: () => 'NULL' },
    );
  }

  /** Counts a repeated run of pending corrections, of which a process has one. */
  private async countRun(corrections: PendingCorrection[]): Promise<void> {
    for (const correction of corrections) correction.attempt += 1;
    await translateErrors(
      this.database.manager.update(
        ImportProcessCorrectionEntity,
        { processId: In(corrections.map(({ processId }) => processId)), status: 'PENDING' },
        { attempt: () => 'attempt + 1', enqueuedAt: () => 'now()' },
      ),
    );
  }

  private async end(
    versions: readonly ProcessVersion[],
    failures: readonly ImportFailure[],
  ): Promise<boolean[]> {
    const rows = await this.database.run<{ processId: string }>(end, [
      versions.map(({ processId }) => processId),
      versions.map(({ version }) => version),
      versions.map((_version, index) => failures[index]?.code ?? null),
      versions.map((_version, index) => failures[index]?.detail ?? null),
    ]);
    const ended = new Set(rows.map(({ processId }) => processId));
    return versions.map(({ processId }) => ended.has(processId));
  }
}

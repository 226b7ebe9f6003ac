import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type CreatedAccount, insertRows, type NewAccount, rowParameters } from '@portage/accounts';
import {
  anyOf,
  Database,
  type Executor,
  type FieldError,
  rehearse,
  type Statement,
  translateErrors,
  unnestArrays,
} from '@portage/platform';
import {
  type CreationMode,
  type ImportSupplierStatus,
  InstallationEntity,
  type RuleSettingValues,
  type ValidationProfile,
} from '@portage/tenants';
import { In } from 'typeorm';
import { ImportProcessEntity } from '../processes/import-process.entity';
import { ImportProcessEventEntity } from '../processes/import-process-event.entity';
import { statusesAllowing } from '../processes/status';
import type { ProcessVersion } from '../processes/pending-process.repository';
import type { ImportFailure } from './import-failure';

/** A process that this worker imports, with all data that the creation of its account needs. */
export interface StartedImport extends ProcessVersion {
  /**
   * PENDING where the first run has only read the process, IN_PROGRESS where a repeated run has started it. With
   * `attempt` it is the fencing token: a result is stored only while the process has both.
   */
  status: 'PENDING' | 'IN_PROGRESS';
  /** Counts the starts of this version, and a first run with its result. */
  attempt: number;
  isDryRun: boolean;
  /** True once an operator has released the process after its dry run. */
  isReleased: boolean;
  externalAccountNumber: string;
  externalIdentifier: string;
  payload: Record<string, unknown>;
  /** Digest of the context in which the API found this version valid; null if it must be validated. */
  contextDigest: string | null;
  /** The next value of the account number sequence. */
  accountSequence: number;
  supplier: {
    id: number;
    code: string;
    status: ImportSupplierStatus;
    region: string;
    timeZone: string;
    currency: string;
    sendMigrationEmails: boolean;
    profile: ValidationProfile;
    creationMode: CreationMode;
    organisationId: number;
    ruleSettings: RuleSettingValues;
    documentRoot: string;
    verifyDocuments: boolean;
  };
}

/** The creation of an account by a started import. */
export interface AccountCreation {
  started: StartedImport;
  account: NewAccount;
  /** Stored with the process, unless there are none. */
  warnings?: readonly FieldError[];
}

/** A process that ends without an account. */
export interface FailedImport extends ImportFailure {
  started: Pick<StartedImport, 'processId' | 'version' | 'attempt' | 'status'>;
  endStatus: 'ERRORED' | 'DRY_RUN_ERRORED';
}

/** A process that ends after a dry run without an error. */
export type SucceededDryRun = FailedImport['started'] & Pick<AccountCreation, 'warnings'>;

/** The end of an import without an account: an error, or a dry run that found none. */
interface EndedImport extends Partial<ImportFailure>, Pick<AccountCreation, 'warnings'> {
  started: FailedImport['started'];
  endStatus: FailedImport['endStatus'] | 'DRY_RUN_SUCCEEDED';
}

/** Why a version of a process was not started. Empty if it has another version or is finished. */
export interface UnstartedReason {
  /** True if it is PENDING, and its supplier is paused or its schedule window is yet to open. */
  isHeld?: boolean;
  /** The code of the error that it has ended with. */
  code?: string;
}

/** The processes `$1` with their versions `$2`. */
const JOB = unnestArrays('$1::bigint[], $2::integer[]');

/**
 * By `ANY` the planner uses the primary key in every plan. A plan that is made while the table is small would read all of
 * it otherwise, and a session retains it while the table grows.
 */
const ANY_ID = anyOf('$1::bigint[]');

/** By this clock, as the sweeper that adds the job: that of the API may be ahead. */
const isWindowOpen = `coalesce(process.schedule_window_start, '-infinity') <= now()
  AND coalesce(process.schedule_window_end, 'infinity') >= now()`;

/** The SQL of the `supplier` of a {@link StartedImport}. */
export const SUPPLIER_OBJECT = `json_build_object('id', supplier.id, 'code', supplier.code, 'status', supplier.status,
  'region', supplier.region, 'timeZone', supplier.time_zone, 'currency', supplier.currency,
  'sendMigrationEmails', supplier.send_migration_emails, 'profile', supplier.profile,
  'creationMode', supplier.creation_mode, 'organisationId', supplier.organisation_id,
  'ruleSettings', supplier.rule_settings, 'documentRoot', supplier.document_root,
  'verifyDocuments', supplier.verify_documents)`;

/** Selects a {@link StartedImport} for each row of `process`. */
const selectStarted = (process: string) => `
  SELECT process.id AS process_id, process.version, process.status, process.attempt, process.is_dry_run,
    process.is_released, process.external_account_number,
    process.external_identifier, payload.payload, payload.context_digest,
    nextval('account_number_sequence') AS account_sequence,
    ${SUPPLIER_OBJECT} AS supplier
  FROM ${process} process
  JOIN import_process_payload payload ON payload.process_id = process.id
  JOIN import_supplier supplier ON supplier.id = process.supplier_id`;

const readImports: Statement = {
  name: 'read-imports',
  // The concatenation prevents a scan of all unfinished processes.
  text: `
    ${selectStarted('import_process')}
    JOIN ${JOB} AS job (process_id, version) ON job.process_id = process.id AND job.version = process.version
    WHERE process.id = ${ANY_ID} AND process.status || '' = 'PENDING' AND ${isWindowOpen}
      AND supplier.status <> 'Paused'`,
};

const startImports: Statement = {
  name: 'start-imports',
  text: `
    WITH job AS (
      SELECT * FROM ${JOB} AS job (process_id, version)
    ), started AS (
      UPDATE import_process process SET status = 'IN_PROGRESS', attempt = attempt + 1, modified_at = now(),
        -- Infinite for a staged account: its request, not the process, is enqueued again if its job is lost.
        enqueued_at = greatest(process.enqueued_at, now())
      FROM job
      WHERE process.id = ${ANY_ID} AND process.id = job.process_id AND process.version = job.version
        AND process.status = ANY($3) AND (process.status = 'IN_PROGRESS' OR ${isWindowOpen}
          AND (SELECT supplier.status FROM import_supplier supplier WHERE supplier.id = process.supplier_id) <> 'Paused')
      RETURNING process.*
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, 'STARTED' FROM started
    )
    ${selectStarted('started')}`,
};

/** What {@link isAsRead} compares with the row. */
const FENCE = '$1::bigint[], $2::integer[], $3::integer[], $4::text[]';

/**
 * True while the process has the version, status and attempt that the worker has read. The concatenation prevents a scan
 * of all unfinished processes: their index is small when sessions plan this, and may become large.
 */
const isAsRead = (read: string) => `process.id = ${ANY_ID} AND process.id = ${read}.process_id
  AND process.version = ${read}.version AND process.attempt = ${read}.attempt
  AND process.status || '' = ${read}.status`;

/** A start counts the attempt of a repeated run, the result that of a first run. */
const countedAttempt = `process.attempt + (process.status = 'PENDING')::integer`;

const FIRST_ROWS_PARAMETER = 13;

const createAccounts: Statement = {
  name: 'create-accounts',
  // The conditional update comes first, so that an attempt that is not the latest writes nothing.
  text: `
    WITH new_account AS (
      SELECT * FROM ROWS FROM (unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[]),
        jsonb_array_elements($6::jsonb), jsonb_array_elements($7::jsonb),
        unnest($8::integer[], $9::smallint[], $10::integer[], $11::text[], $12::text[])) WITH ORDINALITY
        AS new_account (process_id, version, attempt, number, account_type, billing, details, cycle_months, cycle_start_day,
          cycle_phase, status, warnings, ordinal)
    ), processed AS (
      UPDATE import_process process SET status = 'PROCESSED', attempt = ${countedAttempt},
        account_number = new_account.number, account_created_at = now(), latest_event = 'PROCESSED',
        latest_event_at = now(), modified_at = now(), warnings = new_account.warnings::json
      FROM new_account
      WHERE ${isAsRead('new_account')}
      RETURNING process.id AS process_id, process.version, process.attempt, process.supplier_id,
        process.external_account_number, process.external_identifier, process.submission_id, new_account.ordinal
    ), created AS (
      INSERT INTO account (process_id, supplier_id, number, external_account_number, external_identifier,
        account_type, billing, details, cycle_months, cycle_start_day, cycle_phase)
      SELECT process_id, supplier_id, number, external_account_number, external_identifier, account_type, billing,
        details, cycle_months, cycle_start_day, cycle_phase
      FROM processed JOIN new_account USING (process_id, ordinal)
      RETURNING id, process_id
    ), created_account AS (
      SELECT processed.ordinal, created.id AS account_id FROM created JOIN processed USING (process_id)
    ), ${insertRows(FIRST_ROWS_PARAMETER)
      .map(
        ({ table, text }) =>
          `written_${table} AS (${text}${table === 'document' || table === 'welcome_email' ? ' RETURNING *' : ''})`,
      )
      .join(', ')}, recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, submission_id, transaction_id)
      SELECT process_id, version, attempt, 'PROCESSED', supplier_id, submission_id, event_transaction_id() FROM processed
    )
    SELECT ordinal::integer AS item, account_id,
      ARRAY(SELECT id::text FROM written_document document WHERE document.account_id = created_account.account_id)
        AS document_ids,
      EXISTS (SELECT FROM written_welcome_email email WHERE email.account_id = created_account.account_id)
        AS has_welcome_email
    FROM created_account`,
};

const endImports: Statement = {
  name: 'end-imports',
  // Without a code it is a dry run that found no error. Suppliers see no latest event of that.
  text: `
    WITH outcome AS (
      SELECT * FROM ${unnestArrays(`${FENCE}, $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]`)}
        AS outcome (process_id, version, attempt, status, end_status, code, detail, fields, warnings)
    ), ended AS (
      UPDATE import_process process SET status = outcome.end_status, attempt = ${countedAttempt},
        error_code = outcome.code, error_detail = outcome.detail, error_fields = outcome.fields::json,
        latest_event = CASE WHEN outcome.code IS NULL THEN process.latest_event ELSE 'ERRORED' END,
        latest_event_at = CASE WHEN outcome.code IS NULL THEN process.latest_event_at ELSE now() END,
        modified_at = now(),
        warnings = CASE WHEN outcome.code IS NULL THEN outcome.warnings::json ELSE process.warnings END
      FROM outcome
      WHERE ${isAsRead('outcome')}
      RETURNING process.id, process.version, process.attempt, process.status, process.error_code, process.supplier_id,
        process.submission_id
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, error_code, supplier_id, submission_id,
        transaction_id)
      SELECT id, version, attempt, status, error_code, supplier_id, submission_id, event_transaction_id() FROM ended
    )
    SELECT id AS process_id FROM ended`,
};

/**
 * The worker's statements about import processes: read or start them, and end them with or without an account. A batch of
 * processes is one statement. Each process is in a batch once.
 */
@Injectable()
export class AccountImportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads the processes that still have the version of the job and are PENDING, for their first run, unless their supplier
   * is paused. Nothing is written: another run may have read them as well, and the first result ends them.
   *
   * @returns one for each, in their order; undefined for other processes
   */
  async read(versions: readonly ProcessVersion[]): Promise<(StartedImport | undefined)[]> {
    return this.findStarted(readImports, versions, versionParameters(versions));
  }

  /**
   * Starts the processes that still have the version of the job and are not finished. A process that is PENDING is not
   * started while its supplier is paused. A run that has read or started a process before can no longer store a result.
   *
   * @returns one for each, in their order; undefined for other processes
   */
  async start(versions: readonly ProcessVersion[]): Promise<(StartedImport | undefined)[]> {
    return this.findStarted(startImports, versions, [
      ...versionParameters(versions),
      statusesAllowing('start'),
    ]);
  }

  /**
   * Creates accounts with all their parts, ends their processes and records the events, in one statement.
   *
   * @returns for each, in their order, the account; undefined where a later attempt has taken over the process
   */
  async create(accounts: readonly AccountCreation[]): Promise<(CreatedAccount | undefined)[]> {
    return createAll(this.database, accounts);
  }

  /** The dry run of {@link create}: runs the same statement and rolls it back, so that constraints are checked. */
  async dryRun(accounts: readonly AccountCreation[]): Promise<void> {
    await this.database.transaction(async (executor) =>
      rehearse(executor, async () => createAll(executor, accounts)),
    );
  }

  /**
   * Ends dry runs that found no error, with their warnings.
   *
   * @returns for each, in their order: false if it has another version, or another run has taken it over
   */
  async succeedDryRuns(dryRuns: readonly SucceededDryRun[]): Promise<boolean[]> {
    return this.end(
      dryRuns.map((dryRun) => ({ started: dryRun, endStatus: 'DRY_RUN_SUCCEEDED', ...dryRun })),
    );
  }

  /**
   * Ends processes with an error.
   *
   * @returns for each, in their order: false if it has another version, or another run has taken it over
   */
  async fail(failures: readonly FailedImport[]): Promise<boolean[]> {
    return this.end(failures);
  }

  /**
   * Cancels processes that were not started within their schedule window.
   *
   * @returns for each, in their order: false if its window was not missed
   */
  async cancelMissed(versions: readonly ProcessVersion[]): Promise<boolean[]> {
    return this.database.transaction(async ({ manager }) => {
      const missed = await manager
        .createQueryBuilder(ImportProcessEntity, 'process')
        .where({ id: In(idsOf(versions)), status: In(statusesAllowing('miss-window')) })
        .andWhere('process.scheduleWindowEnd < now()')
        .orderBy('process.id')
        .setLock('for_no_key_update')
        .getMany();
      const current = new Set(versions.map(keyOf));
      const cancelled = missed.filter(({ id, version }) => current.has(keyOf({ processId: id, version })));
      if (cancelled.length > 0) {
        const change = { status: 'CANCELLED', modifiedAt: () => 'now()' } as const;
        await manager.update(ImportProcessEntity, { id: In(cancelled.map(({ id }) => id)) }, change);
        await manager.insert(
          ImportProcessEventEntity,
          cancelled.map(({ id, version, attempt, supplierId, submissionId }) => ({
            processId: id,
            version,
            attempt,
            event: 'CANCELLED' as const,
            supplierId,
            submissionId,
            transactionId: () => 'event_transaction_id()',
          })),
        );
      }
      const ids = new Set(cancelled.map(({ id }) => id));
      return versions.map(({ processId }) => ids.has(processId));
    });
  }

  /** Finds why versions were not started. Returns one for each, in their order. */
  async findReasons(versions: readonly ProcessVersion[]): Promise<UnstartedReason[]> {
    const rows = await translateErrors(
      this.database.manager
        .createQueryBuilder(ImportProcessEntity, 'process')
        .innerJoin('process.supplier', 'supplier')
        .select('process.id', 'processId')
        .addSelect('process.version', 'version')
        .addSelect('process.errorCode', 'code')
        .addSelect(
          `process.status = 'PENDING'
            AND (supplier.status = 'Paused' OR coalesce(process.scheduleWindowStart > now(), false))`,
          'isHeld',
        )
        .where({ id: In(idsOf(versions)) })
        .getRawMany<ProcessVersion & { code: string | null; isHeld: boolean }>(),
    );
    const reasons = new Map(
      rows.map(({ code, isHeld, ...version }) => [
        keyOf(version),
        { ...(code !== null && { code }), ...(isHeld && { isHeld }) },
      ]),
    );
    return versions.map((version) => reasons.get(keyOf(version)) ?? {});
  }

  /** The secret key of this installation that account numbers are derived with. */
  async accountNumberKey(): Promise<KeyObject> {
    const [row] = await translateErrors(this.database.manager.find(InstallationEntity));
    if (!row) throw new Error('The table installation is empty: run npm run migrate.');
    return createSecretKey(row.accountNumberKey);
  }

  private async findStarted(
    statement: Statement,
    versions: readonly ProcessVersion[],
    parameters: unknown[],
  ): Promise<(StartedImport | undefined)[]> {
    const rows = await this.database.run<
      Omit<StartedImport, 'accountSequence'> & { accountSequence: string }
    >(statement, parameters);
    const started = new Map(
      rows.map((row) => [row.processId, { ...row, accountSequence: Number(row.accountSequence) }]),
    );
    return versions.map(({ processId }) => started.get(processId));
  }

  private async end(ended: readonly EndedImport[]): Promise<boolean[]> {
    const started = ended.map((one) => one.started);
    const rows = await this.database.run<{ processId: string }>(endImports, [
      ...fenceParameters(started),
      ended.map(({ endStatus }) => endStatus),
      ended.map(({ code }) => code ?? null),
      ended.map(({ detail }) => detail ?? null),
      ended.map(({ fields }) => (fields ? JSON.stringify(fields) : null)),
      ended.map(warningsText),
    ]);
    const stored = new Set(rows.map(({ processId }) => processId));
    return started.map(({ processId }) => stored.has(processId));
  }
}

function keyOf({ processId, version }: ProcessVersion): string {
  return `${processId} ${version}`;
}

function idsOf(processes: readonly ProcessVersion[]): string[] {
  return processes.map(({ processId }) => processId);
}

function versionParameters(processes: readonly ProcessVersion[]): unknown[] {
  return [idsOf(processes), processes.map(({ version }) => version)];
}

/** The arrays of {@link FENCE}. */
function fenceParameters(started: readonly FailedImport['started'][]): unknown[] {
  return [
    ...versionParameters(started),
    started.map(({ attempt }) => attempt),
    started.map(({ status }) => status),
  ];
}

/** The JSON of warnings; null without any, so that an account without warnings stores nothing. */
function warningsText({ warnings = [] }: Pick<AccountCreation, 'warnings'>): string | null {
  return warnings.length === 0 ? null : JSON.stringify(warnings);
}

interface CreatedRow extends CreatedAccount {
  /** Number of the account in the batch, counted from 1. */
  item: number;
}

async function createAll(
  executor: Executor,
  accounts: readonly AccountCreation[],
): Promise<(CreatedAccount | undefined)[]> {
  const rows = await executor.run<CreatedRow>(createAccounts, [
    accounts.map(({ started }) => started.processId),
    accounts.map(({ started }) => started.version),
    accounts.map(({ started }) => started.attempt),
    accounts.map(({ account }) => account.number),
    accounts.map(({ account }) => account.accountType),
    JSON.stringify(accounts.map(({ account }) => account.billing)),
    JSON.stringify(accounts.map(({ account }) => account.details)),
    accounts.map(({ account }) => account.cycle.months),
    accounts.map(({ account }) => account.cycle.startDay),
    accounts.map(({ account }) => account.cycle.phase),
    accounts.map(({ started }) => started.status),
    accounts.map(warningsText),
    ...rowParameters(accounts.map(({ account }) => account.rows)),
  ]);
  const created = new Map(rows.map(({ item, ...account }) => [item, account]));
  return accounts.map((_account, index) => created.get(index + 1));
}

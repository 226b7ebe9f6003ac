import { Injectable } from '@nestjs/common';
import type { BillingCycle, CreationMode, ImportSupplierStatus, ValidationProfile } from '@portage/domain';
import { statusesAllowing } from '@portage/domain';
import { Database, type Executor, type Statement } from '../connection/database';
import type { RuleSettingValues } from '../supplier/import-supplier.entity';
import {
  buildFindings,
  type FindingRow,
  type Findings,
  groupFindings,
  lookupParameters,
  type AccountLookup,
} from '../account-lookups/account-lookups.repository';
import { unnestArrays } from '../schema/unnest-arrays';
import { type AccountRows, insertRows, ROW_PARAMETER_COUNT, rowParameters } from './account-rows';
import type { ProcessVersion } from '../import-process/pending-process.repository';

/** A process that this worker has started, with all data that the creation of its account needs. */
export interface StartedImport extends ProcessVersion {
  /** Fencing token: counts the starts of this version. Only the latest attempt can store a result. */
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

/** An account to create: its own columns, and the rows of its parts. */
export interface NewAccount {
  number: string;
  accountType: string | null;
  billing: Record<string, unknown>;
  details: Record<string, unknown>;
  cycle: BillingCycle;
  rows: AccountRows;
}

/** The creation of an account by a started import. */
export interface AccountCreation {
  started: StartedImport;
  account: NewAccount;
  /** Lookups that must find nothing; otherwise the account is not created and the findings are returned. */
  preconditions?: readonly AccountLookup[];
}

/** An account that was created, and its follow-ups, which have jobs of their own. */
export interface CreatedAccount {
  accountId: string;
  documentIds: string[];
  hasWelcomeEmail: boolean;
}

/** The result of creating an account. */
export type AccountCreationResult =
  | { kind: 'created'; account: CreatedAccount }
  /** A later attempt has taken over the process. */
  | { kind: 'outdated' }
  /**
   * The account was not created, because preconditions have findings. One list for each precondition, in their order.
   */
  | { kind: 'findings'; findings: Findings };

/** A process that ends without an account. */
export interface FailedImport extends ProcessVersion {
  attempt: number;
  status: 'ERRORED' | 'DRY_RUN_ERRORED';
  code: string;
  detail: string;
}

/** Why a version of a process was not started. Empty if it has another version or is finished. */
export interface UnstartedReason {
  /** The code of the error that it has ended with. */
  code?: string;
  /** Time until its schedule window opens, by the clock of the database. */
  opensInMs?: number;
}

const startImports: Statement = {
  name: 'start-imports',
  // By `ANY` the planner uses the primary key in every plan. A plan that is made while the table is small would read
  // all of it otherwise, and a session retains it while the table grows.
  text: `
    WITH job AS (
      SELECT * FROM ${unnestArrays('$1::bigint[], $2::integer[]')} AS job (process_id, version)
    ), started AS (
      UPDATE import_process process SET status = 'IN_PROGRESS', attempt = attempt + 1, modified_at = now(),
        -- Infinite for a staged account: its request, not the process, is enqueued again if its job is lost.
        enqueued_at = greatest(process.enqueued_at, now())
      FROM job
      WHERE process.id = ANY($1) AND process.id = job.process_id AND process.version = job.version
        AND process.status = ANY($3)
        -- By this clock: that of a worker may be ahead, and the queue starts a delayed job by it.
        AND (process.status = 'IN_PROGRESS'
          OR coalesce(process.schedule_window_start, '-infinity') <= now()
            AND coalesce(process.schedule_window_end, 'infinity') >= now())
      RETURNING process.id, process.version, process.attempt, process.is_dry_run, process.is_released, process.supplier_id,
        process.external_account_number, process.external_identifier
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, 'STARTED' FROM started
    )
    SELECT started.id AS "processId", started.version, started.attempt, started.is_dry_run AS "isDryRun",
      started.is_released AS "isReleased",
      started.external_account_number AS "externalAccountNumber",
      started.external_identifier AS "externalIdentifier", payload.payload,
      CASE WHEN payload.validated_version = started.version THEN payload.context_digest END AS "contextDigest",
      nextval('account_number_sequence') AS "accountSequence",
      json_build_object('id', supplier.id, 'code', supplier.code, 'status', supplier.status,
        'region', supplier.region, 'timeZone', supplier.time_zone, 'currency', supplier.currency,
        'sendMigrationEmails', supplier.send_migration_emails, 'profile', supplier.profile,
        'creationMode', supplier.creation_mode, 'organisationId', supplier.organisation_id,
        'ruleSettings', supplier.rule_settings, 'documentRoot', supplier.document_root,
        'verifyDocuments', supplier.verify_documents) AS supplier
    FROM started
    JOIN import_process_payload payload ON payload.process_id = started.id
    JOIN import_supplier supplier ON supplier.id = started.supplier_id`,
};

const FIRST_ROWS_PARAMETER = 11;
const FIRST_LOOKUP_PARAMETER = FIRST_ROWS_PARAMETER + ROW_PARAMETER_COUNT;

const createAccounts: Statement = {
  name: 'create-accounts',
  // The conditional update comes first, so that an attempt that is not the latest writes nothing. The concatenation
  // prevents a scan of all unfinished processes: their index is small when sessions plan this, and may become large. For
  // `ANY`, see start-imports.
  text: `
    WITH ${buildFindings(FIRST_LOOKUP_PARAMETER)}, new_account AS (
      SELECT * FROM ROWS FROM (unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[]),
        jsonb_array_elements($6::jsonb), jsonb_array_elements($7::jsonb),
        unnest($8::integer[], $9::smallint[], $10::integer[])) WITH ORDINALITY
        AS new_account (process_id, version, attempt, number, account_type, billing, details, cycle_months, cycle_start_day,
          cycle_phase, ordinal)
    ), processed AS (
      UPDATE import_process process SET status = 'PROCESSED', account_number = new_account.number,
        account_created_at = now(), latest_event = 'PROCESSED', latest_event_at = now(), modified_at = now()
      FROM new_account
      WHERE process.id = ANY($1) AND process.id = new_account.process_id AND process.version = new_account.version
        AND process.attempt = new_account.attempt
        AND process.status || '' = 'IN_PROGRESS' AND new_account.ordinal NOT IN (SELECT item FROM finding)
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
    SELECT ordinal::integer AS item, account_id AS "accountId",
      ARRAY(SELECT id::text FROM written_document document WHERE document.account_id = created_account.account_id)
        AS "documentIds",
      EXISTS (SELECT FROM written_welcome_email email WHERE email.account_id = created_account.account_id)
        AS "hasWelcomeEmail",
      NULL::integer AS lookup, NULL::json AS finding
    FROM created_account
    UNION ALL
    SELECT item, NULL, NULL, NULL, lookup, finding FROM finding`,
};

const failImport: Statement = {
  name: 'fail-import',
  text: `
    WITH failed AS (
      UPDATE import_process SET status = $4, error_code = $5, error_detail = $6, latest_event = 'ERRORED',
        latest_event_at = now(), modified_at = now()
      WHERE id = $1 AND version = $2 AND attempt = $3 AND status = 'IN_PROGRESS'
      RETURNING id, version, attempt, supplier_id, submission_id
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, error_code, supplier_id, submission_id,
        transaction_id)
      SELECT id, version, attempt, $4, $5, supplier_id, submission_id, event_transaction_id() FROM failed
    )
    SELECT id AS "processId" FROM failed`,
};

const succeedDryRuns: Statement = {
  name: 'succeed-dry-runs',
  text: `
    WITH succeeded AS (
      UPDATE import_process process SET status = 'DRY_RUN_SUCCEEDED', modified_at = now()
      FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS dry_run (process_id, version, attempt)
      WHERE process.id = dry_run.process_id AND process.version = dry_run.version
        AND process.attempt = dry_run.attempt AND process.status = 'IN_PROGRESS'
      RETURNING process.id, process.version, process.attempt, process.supplier_id, process.submission_id
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, submission_id, transaction_id)
      SELECT id, version, attempt, 'DRY_RUN_SUCCEEDED', supplier_id, submission_id, event_transaction_id() FROM succeeded
    )
    SELECT id AS "processId" FROM succeeded`,
};

const cancelMissed: Statement = {
  name: 'cancel-import-whose-window-was-missed',
  text: `
    WITH cancelled AS (
      UPDATE import_process SET status = 'CANCELLED', modified_at = now()
      WHERE id = $1 AND version = $2 AND status = ANY($3) AND schedule_window_end < now()
      RETURNING id, version, attempt, supplier_id, submission_id
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, submission_id, transaction_id)
      SELECT id, version, attempt, 'CANCELLED', supplier_id, submission_id, event_transaction_id() FROM cancelled
    )
    SELECT id AS "processId" FROM cancelled`,
};

const findReason: Statement = {
  name: 'reason-of-unstarted-import',
  text: `
    SELECT error_code AS code,
      CASE WHEN status = 'PENDING' THEN ceil(extract(epoch FROM schedule_window_start - now()) * 1000)::float8 END AS "opensInMs"
    FROM import_process WHERE id = $1 AND version = $2`,
};

const accountNumberKey: Statement = {
  name: 'account-number-key',
  text: 'SELECT account_number_key AS key FROM installation',
};

/** The worker's writes to an import process: start it, and end it with or without an account. */
@Injectable()
export class AccountImportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Starts the processes that still have the version of the job and are not finished. Other processes are missing from
   * the result, because their job is outdated.
   */
  async start(jobs: readonly ProcessVersion[]): Promise<StartedImport[]> {
    const rows = await this.database.run<
      Omit<StartedImport, 'accountSequence'> & { accountSequence: string }
    >(startImports, [
      jobs.map((job) => job.processId),
      jobs.map((job) => job.version),
      statusesAllowing('start'),
    ]);
    return rows.map((row) => ({ ...row, accountSequence: Number(row.accountSequence) }));
  }

  /**
   * Creates accounts with all their parts, ends their processes and records the events, in one statement.
   *
   * @returns a result for each, in the order of `accounts`
   */
  async create(accounts: readonly AccountCreation[]): Promise<AccountCreationResult[]> {
    return createAll(this.database, accounts);
  }

  /** The dry run of {@link create}: runs the same statement and rolls it back, so that constraints are checked. */
  async rehearse(accounts: readonly AccountCreation[]): Promise<void> {
    const rolledBack = Symbol('rolled back');
    await this.database
      .transaction(async (executor) => {
        await createAll(executor, accounts);
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- not an error: it ends the transaction
        throw rolledBack;
      })
      .catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
  }

  /**
   * Ends dry runs that found no error.
   *
   * @returns the ids of their processes; a process that is missing was taken over by a later attempt
   */
  async succeedDryRuns(started: readonly StartedImport[]): Promise<string[]> {
    const rows = await this.database.run<{ processId: string }>(succeedDryRuns, [
      started.map(({ processId }) => processId),
      started.map(({ version }) => version),
      started.map(({ attempt }) => attempt),
    ]);
    return rows.map(({ processId }) => processId);
  }

  /** Cancels a process that was not started within its schedule window; false where its window is still open. */
  async cancelMissed({ processId, version }: ProcessVersion): Promise<boolean> {
    return (
      (await this.database.run(cancelMissed, [processId, version, statusesAllowing('cancel')])).length > 0
    );
  }

  /** Ends a process with an error; false where a later attempt has taken it over. */
  async fail(failed: FailedImport): Promise<boolean> {
    const { processId, version, attempt, status, code, detail } = failed;
    const rows = await this.database.run(failImport, [processId, version, attempt, status, code, detail]);
    return rows.length > 0;
  }

  /** Finds why a version was not started. */
  async findReason({ processId, version }: ProcessVersion): Promise<UnstartedReason> {
    const [row] = await this.database.run<{ code: string | null; opensInMs: number | null }>(findReason, [
      processId,
      version,
    ]);
    const { code, opensInMs } = row ?? { code: null, opensInMs: null };
    return { ...(code !== null && { code }), ...(opensInMs !== null && opensInMs > 0 && { opensInMs }) };
  }

  /** The secret key of this installation that account numbers are derived with. */
  async accountNumberKey(): Promise<Buffer> {
    const [row] = await this.database.run<{ key: Buffer }>(accountNumberKey, []);
    if (!row) throw new Error('The table installation is empty: run npm run migrate.');
    return row.key;
  }
}

interface CreatedRow extends CreatedAccount {
  /** Number of the account in the batch, counted from 1. */
  item: number;
  lookup: null;
}

async function createAll(
  executor: Executor,
  accounts: readonly AccountCreation[],
): Promise<AccountCreationResult[]> {
  const lookups = accounts.map(({ preconditions = [] }) => preconditions);
  const rows = await executor.run<CreatedRow | FindingRow>(createAccounts, [
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
    ...rowParameters(accounts.map(({ account }) => account.rows)),
    ...lookupParameters(lookups),
  ]);
  const isFinding = (row: CreatedRow | FindingRow): row is FindingRow => row.lookup !== null;
  const results = groupFindings(lookups, rows.filter(isFinding)).map((findings): AccountCreationResult =>
    findings ? { kind: 'findings', findings } : { kind: 'outdated' },
  );
  for (const row of rows)
    if (!isFinding(row)) {
      const { item, accountId, documentIds, hasWelcomeEmail } = row;
      results[item - 1] = { kind: 'created', account: { accountId, documentIds, hasWelcomeEmail } };
    }
  return results;
}

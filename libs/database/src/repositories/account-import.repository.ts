import { Injectable } from '@nestjs/common';
import type { CreationMode, ImportSupplierStatus, ValidationProfile } from '@portage/domain';
import { statusesAllowing } from '@portage/domain';
import { Database, type Executor, type Statement } from '../database';
import type { RuleSettingValues } from '../entities/import-supplier.entity';
import type { ProcessVersion } from './import-process.repository';

/** A process that this worker has started, with everything that creating its account needs. */
export interface StartedImport extends ProcessVersion {
  /** Which start of this version; a result is stored only while it is the latest. */
  attempt: number;
  isDryRun: boolean;
  /** An operator has released it after its dry run. */
  isReleased: boolean;
  externalAccountNumber: string;
  externalIdentifier: string;
  payload: Record<string, unknown>;
  /** A value of its own of the account number sequence. */
  accountSequence: number;
  supplier: {
    id: number;
    code: string;
    status: ImportSupplierStatus;
    region: string;
    timeZone: string;
    profile: ValidationProfile;
    creationMode: CreationMode;
    organisationId: number;
    ruleSettings: RuleSettingValues;
  };
}

export interface NewCustomer {
  user_identifier?: string | undefined;
  title?: string | undefined;
  given_name: string;
  family_name: string;
  email?: string | undefined;
  mobile?: string | undefined;
  landline?: string | undefined;
  date_of_birth?: string | undefined;
  details: Record<string, unknown>;
}

export interface NewDebt {
  cais_reference: string | null;
  details: Record<string, unknown>;
}

export interface NewChargedPeriod {
  supply_point_identifier: string;
  start_date: string;
  end_date: string;
}

export interface NewAccount {
  number: string;
  accountType: string | null;
  billing: Record<string, unknown>;
  customers: NewCustomer[];
  references: { namespace: string; value: string }[];
  debts: NewDebt[];
  chargedPeriods: NewChargedPeriod[];
}

export interface CreatedImport {
  started: StartedImport;
  account: NewAccount;
}

/** What ended a process without an account. */
export interface FailedImport extends ProcessVersion {
  attempt: number;
  status: 'ERRORED' | 'DRY_RUN_ERRORED';
  code: string;
  detail: string;
}

const startImports: Statement = {
  name: 'start-imports',
  // unnest keeps the plan on the primary key (json_to_recordset is planned as a hundred rows and scans).
  text: `
    WITH job AS (
      SELECT * FROM unnest($1::bigint[], $2::integer[]) AS job (process_id, version)
    ), started AS (
      UPDATE import_process process SET status = 'IN_PROGRESS', attempt = attempt + 1, modified_at = now(),
        enqueued_at = now()
      FROM job
      WHERE process.id = job.process_id AND process.version = job.version AND process.status = ANY($3)
        AND (process.schedule_window_end IS NULL OR process.schedule_window_end >= now()
          OR process.status = 'IN_PROGRESS')
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
      nextval('account_number_sequence') AS "accountSequence",
      json_build_object('id', supplier.id, 'code', supplier.code, 'status', supplier.status,
        'region', supplier.region, 'timeZone', supplier.time_zone, 'profile', supplier.profile,
        'creationMode', supplier.creation_mode, 'organisationId', supplier.organisation_id,
        'ruleSettings', supplier.rule_settings) AS supplier
    FROM started
    JOIN import_process_payload payload ON payload.process_id = started.id
    JOIN import_supplier supplier ON supplier.id = started.supplier_id`,
};

const createAccounts: Statement = {
  name: 'create-accounts',
  // The conditional update comes first: whoever is not the latest attempt writes nothing at all.
  text: `
    WITH made AS (
      SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[],
        $8::jsonb[], $9::jsonb[], $10::jsonb[]) AS made (process_id, version, attempt, number, account_type, billing,
        customers, account_references, debts, charged_periods)
    ), processed AS (
      UPDATE import_process process SET status = 'PROCESSED', account_number = made.number,
        account_created_at = now(), latest_event = 'PROCESSED', latest_event_at = now(), modified_at = now()
      FROM made
      WHERE process.id = made.process_id AND process.version = made.version AND process.attempt = made.attempt
        AND process.status = 'IN_PROGRESS'
      RETURNING process.id AS process_id, process.version, process.attempt, process.supplier_id,
        process.external_account_number, process.external_identifier, made.number, made.account_type,
        made.billing, made.customers, made.account_references, made.debts, made.charged_periods
    ), created AS (
      INSERT INTO account (process_id, supplier_id, number, external_account_number, external_identifier,
        account_type, billing)
      SELECT process_id, supplier_id, number, external_account_number, external_identifier, account_type, billing
      FROM processed
      RETURNING id, process_id
    ), peopled AS (
      INSERT INTO customer (account_id, position, user_identifier, title, given_name, family_name, email, mobile,
        landline, date_of_birth, details)
      SELECT created.id, person.position - 1, value ->> 'user_identifier', value ->> 'title',
        value ->> 'given_name', value ->> 'family_name', value ->> 'email', value ->> 'mobile',
        value ->> 'landline', (value ->> 'date_of_birth')::date, value -> 'details'
      FROM created JOIN processed USING (process_id),
        jsonb_array_elements(processed.customers) WITH ORDINALITY AS person (value, position)
    ), referred AS (
      INSERT INTO account_reference (account_id, position, supplier_id, namespace, value)
      SELECT created.id, reference.position - 1, processed.supplier_id, element ->> 'namespace', element ->> 'value'
      FROM created JOIN processed USING (process_id),
        jsonb_array_elements(processed.account_references) WITH ORDINALITY AS reference (element, position)
    ), owing AS (
      INSERT INTO debt (account_id, position, cais_reference, details)
      SELECT created.id, owed.position - 1, element ->> 'cais_reference', element -> 'details'
      FROM created JOIN processed USING (process_id),
        jsonb_array_elements(processed.debts) WITH ORDINALITY AS owed (element, position)
    ), charged AS (
      INSERT INTO charged_period (account_id, position, supply_point_identifier, start_date, end_date)
      SELECT created.id, period.position - 1, element ->> 'supply_point_identifier',
        (element ->> 'start_date')::date, (element ->> 'end_date')::date
      FROM created JOIN processed USING (process_id),
        jsonb_array_elements(processed.charged_periods) WITH ORDINALITY AS period (element, position)
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT process_id, version, attempt, 'PROCESSED' FROM processed
    )
    SELECT process_id AS "processId" FROM processed`,
};

const failImport: Statement = {
  name: 'fail-import',
  text: `
    WITH failed AS (
      UPDATE import_process SET status = $4, error_code = $5, error_detail = $6, latest_event = 'ERRORED',
        latest_event_at = now(), modified_at = now()
      WHERE id = $1 AND version = $2 AND attempt = $3 AND status = 'IN_PROGRESS'
      RETURNING id, version, attempt
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, error_code)
      SELECT id, version, attempt, $4, $5 FROM failed
    )
    SELECT id AS "processId" FROM failed`,
};

const succeedDryRun: Statement = {
  name: 'succeed-dry-run',
  text: `
    WITH succeeded AS (
      UPDATE import_process SET status = 'DRY_RUN_SUCCEEDED', modified_at = now()
      WHERE id = $1 AND version = $2 AND attempt = $3 AND status = 'IN_PROGRESS'
      RETURNING id, version, attempt
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, 'DRY_RUN_SUCCEEDED' FROM succeeded
    )
    SELECT id AS "processId" FROM succeeded`,
};

const cancelMissed: Statement = {
  name: 'cancel-import-whose-window-was-missed',
  text: `
    WITH cancelled AS (
      UPDATE import_process SET status = 'CANCELLED', modified_at = now()
      WHERE id = $1 AND version = $2 AND status = ANY($3) AND schedule_window_end < now()
      RETURNING id, version, attempt
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event)
      SELECT id, version, attempt, 'CANCELLED' FROM cancelled
    )
    SELECT id AS "processId" FROM cancelled`,
};

const accountNumberKey: Statement = {
  name: 'account-number-key',
  text: 'SELECT account_number_key AS key FROM installation',
};

/** What the worker does to a process: start it, and end it with an account or without. */
@Injectable()
export class AccountImportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Starts the processes that are still at the named version and not finished. The others are missing from the
   * result: their job is out of date.
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
   * Creates accounts with everything in them, the end of their processes and the events, in one statement.
   *
   * @returns the processes that now have an account; one that is missing was taken over by a later attempt
   */
  async create(accounts: readonly CreatedImport[]): Promise<string[]> {
    return created(this.database, accounts);
  }

  /** Does all that {@link create} does and takes it back, so that everything the database objects to is found. */
  async rehearse(accounts: readonly CreatedImport[]): Promise<void> {
    const rolledBack = Symbol('rolled back');
    await this.database
      .transaction(async (executor) => {
        await created(executor, accounts);
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- not an error: it ends the transaction
        throw rolledBack;
      })
      .catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
  }

  /** Stores that a dry run found nothing wrong; false when a later attempt has taken the process over. */
  async succeedDryRun({ processId, version, attempt }: StartedImport): Promise<boolean> {
    return (await this.database.run(succeedDryRun, [processId, version, attempt])).length > 0;
  }

  /** Cancels a process that was not started within its schedule window; false where it was not too late. */
  async cancelMissed({ processId, version }: ProcessVersion): Promise<boolean> {
    return (
      (await this.database.run(cancelMissed, [processId, version, statusesAllowing('cancel')])).length > 0
    );
  }

  /** Stores how a process failed; false when a later attempt has taken it over. */
  async fail(failed: FailedImport): Promise<boolean> {
    const { processId, version, attempt, status, code, detail } = failed;
    const rows = await this.database.run(failImport, [processId, version, attempt, status, code, detail]);
    return rows.length > 0;
  }

  /** The installation's secret behind the account numbers. */
  async accountNumberKey(): Promise<Buffer> {
    const [row] = await this.database.run<{ key: Buffer }>(accountNumberKey, []);
    if (!row) throw new Error('The table installation is empty: run npm run migrate.');
    return row.key;
  }
}

async function created(executor: Executor, accounts: readonly CreatedImport[]): Promise<string[]> {
  const rows = await executor.run<{ processId: string }>(createAccounts, [
    accounts.map(({ started }) => started.processId),
    accounts.map(({ started }) => started.version),
    accounts.map(({ started }) => started.attempt),
    accounts.map(({ account }) => account.number),
    accounts.map(({ account }) => account.accountType),
    accounts.map(({ account }) => JSON.stringify(account.billing)),
    accounts.map(({ account }) => JSON.stringify(account.customers)),
    accounts.map(({ account }) => JSON.stringify(account.references)),
    accounts.map(({ account }) => JSON.stringify(account.debts)),
    accounts.map(({ account }) => JSON.stringify(account.chargedPeriods)),
  ]);
  return rows.map((row) => row.processId);
}

import type { StartedImport } from '@portage/imports';
import type { Pool } from 'pg';
import { insertRows, rowParameters } from '../../../libs/accounts/src/whole-account/account-rows';
import { newAccount } from '../../../libs/accounts/src/whole-account/new-account';
import { readAccount } from './read-account';

export type Supplier = StartedImport['supplier'];

const readPayloads = {
  name: 'read-payloads',
  text: `
    SELECT process_id AS id, payload, nextval('account_number_sequence') AS sequence
    FROM import_process_payload WHERE process_id = ANY($1::bigint[])`,
};

/** Writes the same rows as Portage, with the row builders of Portage. */
const createAccounts = {
  name: 'create-accounts',
  text: `
    WITH made AS (
      SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::jsonb[], $5::jsonb[], $6::integer[],
        $7::smallint[], $8::integer[]) WITH ORDINALITY
        AS made (process_id, number, account_type, billing, details, cycle_months, cycle_start_day, cycle_phase, ordinal)
    ), processed AS (
      UPDATE import_process process SET status = 'PROCESSED', attempt = 1, account_number = made.number,
        account_created_at = now(), latest_event = 'PROCESSED', latest_event_at = now(), modified_at = now()
      FROM made WHERE process.id = made.process_id AND process.status = 'PENDING'
      RETURNING process.id AS process_id, process.supplier_id, process.external_account_number,
        process.external_identifier, made.ordinal
    ), created AS (
      INSERT INTO account (process_id, supplier_id, number, external_account_number, external_identifier, account_type,
        billing, details, cycle_months, cycle_start_day, cycle_phase)
      SELECT process_id, supplier_id, number, external_account_number, external_identifier, account_type, billing,
        details, cycle_months, cycle_start_day, cycle_phase
      FROM processed JOIN made USING (process_id, ordinal)
      RETURNING id, process_id
    ), created_account AS (
      SELECT processed.ordinal, created.id AS account_id FROM created JOIN processed USING (process_id)
    ), ${insertRows(9)
      .map(({ table, text }) => `written_${table} AS (${text})`)
      .join(', ')}
    INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
    SELECT process_id, 1, 1, 'PROCESSED', supplier_id, event_transaction_id() FROM processed`,
};

/** Loads the supplier once; it does not change during the benchmark. */
export async function loadSupplier(pool: Pool): Promise<Supplier> {
  const { rows } = await pool.query<Supplier>(`
    SELECT id, code, status, region, time_zone AS "timeZone", currency, send_migration_emails AS "sendMigrationEmails",
      profile, creation_mode AS "creationMode", organisation_id AS "organisationId", rule_settings AS "ruleSettings",
      document_root AS "documentRoot", verify_documents AS "verifyDocuments"
    FROM import_supplier`);
  if (!rows[0]) throw new Error('There is no supplier.');
  return rows[0];
}

/** Creates the accounts of processes with one SELECT and one statement that writes all rows. */
export async function createAccountsForProcesses(
  pool: Pool,
  supplier: Supplier,
  processIds: readonly string[],
): Promise<void> {
  const { rows } = await pool.query<{ id: string; payload: unknown; sequence: string }>({
    ...readPayloads,
    values: [processIds],
  });
  const now = new Date();
  const made = rows.map(({ id, payload, sequence }) => {
    const account = readAccount(payload);
    if (!account) throw new Error('The payload of a process is not valid.');
    const number = `A-${Number(sequence).toString(16).padStart(8, '0')}`;
    return { processId: id, ...newAccount(account, number, supplier, now) };
  });
  await pool.query({
    ...createAccounts,
    values: [
      made.map(({ processId }) => processId),
      made.map(({ number }) => number),
      made.map(({ accountType }) => accountType),
      made.map(({ billing }) => JSON.stringify(billing)),
      made.map(({ details }) => JSON.stringify(details)),
      made.map(({ cycle }) => cycle.months),
      made.map(({ cycle }) => cycle.startDay),
      made.map(({ cycle }) => cycle.phase),
      ...rowParameters(made.map(({ rows }) => rows)),
    ],
  });
}

import type { Installation } from '@portage/testing/installation';

/** Accounts that are stored in one statement, so that no statement holds all of them. */
const PART = 10_000;

/** The tables that {@link storeAccounts} fills. */
export const STORED_TABLES = [
  'account',
  'customer',
  'ledger',
  'statement_period',
  'transaction',
  'supply_point',
  'note',
];

/** The number of the nth stored account, from 1. */
export const storedNumber = (nth: number): string => `G-${nth}`;

/** Stores imported accounts of a submission, with some rows in each of {@link STORED_TABLES}. */
export async function storeAccounts(
  installation: Installation,
  submission: string,
  count: number,
): Promise<void> {
  for (let from = 1; from <= count; from += PART)
    await installation.sql(
      `WITH process AS (
         INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number,
           external_identifier, payload_hash, account_number, submission_id)
         SELECT supplier_id, false, 'PROCESSED', 'PROCESSED', 'G-' || n, 'G-' || n, 'hash',
           'A-' || lpad(to_hex(n + 16777216), 8, '0'), submission.id
         FROM submission, generate_series($2::integer, $3::integer) AS n WHERE submission.id = $1
         RETURNING id, supplier_id, external_account_number, account_number
       ), created AS (
         INSERT INTO account (process_id, supplier_id, number, external_account_number, external_identifier, billing)
         SELECT id, supplier_id, account_number, external_account_number, external_account_number, '{}' FROM process
         RETURNING id, supplier_id
       ), customers AS (
         INSERT INTO customer (account_id, position, given_name, family_name, email, details)
         SELECT id, 0, 'A', 'B', id || '@example.org', '{"role": "OWNER"}' FROM created
       ), ledgers AS (
         INSERT INTO ledger (account_id, position, balance, details) SELECT id, 0, 0, '{}' FROM created
       ), periods AS (
         INSERT INTO statement_period (account_id, ledger_position, position, start_date, end_date)
         SELECT id, 0, 0, '2024-01-01', '2024-01-31' FROM created
       ), transactions AS (
         INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
           transaction_date, details)
         SELECT id, 0, 0, 'T-' || n, 'PAYMENT', 1, '2024-01-01', '{}' FROM created, generate_series(1, 3) AS n
       ), supply_points AS (
         INSERT INTO supply_point (account_id, supplier_id, position, supply_address_position, supply_type, identifier,
           supply_start_date, meters, details)
         SELECT id, supplier_id, 0, 0, 'ELECTRICITY', id::text, '2024-01-01', '[]', '{}' FROM created
       )
       INSERT INTO note (account_id, body, created_at, is_pinned, is_archived, document_paths)
       SELECT id, 'Rang.', now(), false, false, '{}' FROM created`,
      [submission, from, Math.min(count, from + PART - 1)],
    );
}

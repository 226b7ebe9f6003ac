import { builtProgram } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { killRollback, readRollback } from '../rollback';
import { runProgram } from '../programs';
import type { Scenario } from '../scenario';

const ACCOUNTS = Number(process.env['SCALE_ROLLBACK_ACCOUNTS'] ?? 100_000);
/** Accounts that are stored in one statement, so that no statement holds all of them. */
const PART = 10_000;
/** The share of the accounts that are left when the rollback is killed. */
const KILL_SHARE = 0.5;
const TIMEOUT_MS = 1_800_000;

/** The memory that a rollback may take, whatever the number of accounts. */
const MAX_MEBIBYTES = 400;

/** The tables that {@link storeAccounts} fills. */
const TABLES = ['account', 'customer', 'ledger', 'statement_period', 'transaction', 'supply_point', 'note'];

/** Stores imported accounts of a submission, with some rows in each of {@link TABLES}. */
async function storeAccounts(installation: Installation, submission: string): Promise<void> {
  for (let from = 1; from <= ACCOUNTS; from += PART)
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
      [submission, from, Math.min(ACCOUNTS, from + PART - 1)],
    );
}

/** The number of rows of each table. */
async function countRows(installation: Installation): Promise<Record<string, number>> {
  const counts = TABLES.map((table) => `(SELECT count(*)::int FROM "${table}") AS "${table}"`);
  const [row] = await installation.sql<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return row!;
}

export default {
  title: `a rollback of ${ACCOUNTS} accounts that was killed goes on, within ${MAX_MEBIBYTES} MiB`,
  minutes: 4,
  backends: ['postgres'],
  table: 'large-rollback',
  run: async ({ install }) => {
    const installation = await install({ postgres: {}, waits: 'default' });
    const before = await countRows(installation);
    const reference = { import_supplier: installation.supplier, reference: 'large' };
    const opened = await installation.post('/v2/data-import/submissions/', reference);
    const id = String(opened.body.id);
    await installation.send('POST', `/v2/data-import/submissions/${id}/complete/`);
    await storeAccounts(installation, id);
    expect((await countRows(installation))['account']).toBe(ACCOUNTS);

    const since = performance.now();
    const env = { NODE_OPTIONS: `--max-old-space-size=${MAX_MEBIBYTES}` };
    const limits = { timeoutMs: TIMEOUT_MS / 3, env };
    const left = await killRollback(installation, id, ACCOUNTS * KILL_SHARE, limits);
    const again = await runProgram(builtProgram('cli'), ['submission', 'rollback', id, '--yes'], {
      env: { ...installation.env, ...env },
      timeoutMs: TIMEOUT_MS,
    });
    expect(again).toEqual({ status: 0, output: expect.any(String) });
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    // Every row is deleted, and each process cancelled once.
    expect(await countRows(installation)).toEqual(before);
    expect(await readRollback(installation, id)).toEqual({
      cancelled: ACCOUNTS,
      events: ACCOUNTS,
      audited: ACCOUNTS,
    });
    return { accounts: ACCOUNTS, 'left when it was killed': left, 'in all': `${seconds} s` };
  },
} satisfies Scenario;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram, type TestPortage, until } from '@portage/testing';
import { FaultEnvironment } from '../faults/fault-environment';

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
async function storeAccounts(portage: TestPortage, submission: string): Promise<void> {
  for (let from = 1; from <= ACCOUNTS; from += PART)
    await portage.sql(
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
         RETURNING id
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
         INSERT INTO supply_point (account_id, position, supply_address_position, supply_type, identifier,
           supply_start_date, meters, details)
         SELECT id, 0, 0, 'ELECTRICITY', id::text, '2024-01-01', '[]', '{}' FROM created
       )
       INSERT INTO note (account_id, body, created_at, is_pinned, is_archived, document_paths)
       SELECT id, 'Rang.', now(), false, false, '{}' FROM created`,
      [submission, from, Math.min(ACCOUNTS, from + PART - 1)],
    );
}

describe(`the rollback of ${ACCOUNTS} accounts`, () => {
  let environment: FaultEnvironment;
  let portage: TestPortage;

  beforeAll(async () => {
    environment = await FaultEnvironment.start('postgres', 'default');
    portage = environment.portage;
  }, 120_000);
  afterAll(async () => {
    await environment.stop();
  }, 120_000);

  /** The number of rows of each table. */
  async function countRows(): Promise<Record<string, number>> {
    const counts = TABLES.map((table) => `(SELECT count(*)::int FROM "${table}") AS "${table}"`);
    const [row] = await portage.sql<Record<string, number>>(`SELECT ${counts.join(', ')}`);
    return row!;
  }
  const countAccounts = async () =>
    (await portage.sql<{ count: number }>('SELECT count(*)::int AS count FROM account'))[0]!.count;

  /** Starts the command under a limit of its heap. */
  function startRollback(id: string) {
    const child = spawn(process.execPath, [builtProgram('cli'), 'submission', 'rollback', id, '--yes'], {
      env: { ...portage.env, NODE_OPTIONS: `--max-old-space-size=${MAX_MEBIBYTES}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-5_000)));
    return { child, exited: once(child, 'exit') as Promise<[number | null]>, output: () => output };
  }

  it(
    'goes on after it was killed, deletes every row, and cancels each process once',
    async () => {
      const before = await countRows();
      const reference = { import_supplier: portage.supplier, reference: 'large' };
      const opened = await portage.post('/v2/data-import/submissions/', reference);
      const id = String(opened.body.id);
      await portage.send('POST', `/v2/data-import/submissions/${id}/complete/`);
      await storeAccounts(portage, id);
      expect((await countRows())['account']).toBe(ACCOUNTS);

      const start = performance.now();
      const first = startRollback(id);
      await until(
        async () => first.child.exitCode !== null || (await countAccounts()) <= ACCOUNTS * KILL_SHARE,
        TIMEOUT_MS / 3,
        () => `the rollback deleted too few accounts: ${first.output()}`,
      );
      first.child.kill('SIGKILL');
      expect(await first.exited).toEqual([null, 'SIGKILL']);
      const left = await countAccounts();
      expect(left).toBeGreaterThan(0);

      const second = startRollback(id);
      expect([(await second.exited)[0], second.output()]).toEqual([0, expect.any(String)]);
      const seconds = (performance.now() - start) / 1_000;
      process.stderr.write(
        `${ACCOUNTS} accounts were rolled back in ${seconds.toFixed(0)} s, killed once with ${left} left.\n`,
      );
      expect(await countRows()).toEqual(before);
      const [ends] = await portage.sql<Record<string, number>>(
        `SELECT (SELECT count(*)::int FROM import_process WHERE submission_id = $1 AND status = 'CANCELLED'
             AND account_number IS NULL) AS cancelled,
           (SELECT count(*)::int FROM import_process_event WHERE event = 'ROLLED_BACK') AS events,
           (SELECT sum((details->>'rolled_back')::int)::int FROM audit_entry
             WHERE action = 'submission.rollback') AS audited`,
        [id],
      );
      expect(ends).toEqual({ cancelled: ACCOUNTS, events: ACCOUNTS, audited: ACCOUNTS });
    },
    TIMEOUT_MS,
  );
});

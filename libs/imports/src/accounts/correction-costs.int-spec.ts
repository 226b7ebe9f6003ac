import { type AccountCorrection, AccountCorrectionRepository } from '@portage/accounts';
import {
  insertAccounts,
  insertProcesses,
  newAccountWith,
  SessionDatabase,
  useCountingExecutor,
} from '@portage/testing/application';
import { ImportProcessReadingRepository } from '../processes/import-process-reading.repository';
import { StaleImportRepository } from '../processes/stale-import.repository';
import { AccountRemovalRepository } from './account-removal.repository';
import { CorrectionRepository, type NewCorrection } from './correction.repository';

/** Accounts while the session plans its statements, and those that are stored later. */
const PLANNED = 200;
const STORED = 20_000;

/** Accounts of a batch. */
const BATCH = 10;

/** Pages that a statement may read for one account: a few levels of the indexes of fifteen tables, in three statements. */
const MAX_PAGES_PER_ACCOUNT = 70;

describe('the cost of the statements about corrections, planned while few accounts were stored', () => {
  const executor = useCountingExecutor('Own');
  const database = new SessionDatabase(executor);
  const corrections = new CorrectionRepository(database);
  const processes = new ImportProcessReadingRepository(database);
  const stale = new StaleImportRepository(database);
  const accounts = new AccountCorrectionRepository();
  const removal = new AccountRemovalRepository();
  const cheap = async <Result>(work: Promise<Result>, maxPagesPerAccount = MAX_PAGES_PER_ACCOUNT) =>
    executor.within(BATCH * maxPagesPerAccount, work);

  const idsFrom = (first: number, length = BATCH) =>
    Array.from({ length }, (_, index) => String(first + index));
  const versionsFrom = (first: number) => idsFrom(first).map((processId) => ({ processId, version: 2 }));

  const send = async (first: number) =>
    corrections.write(
      idsFrom(first).map((processId): NewCorrection => ({
        process: { processId, version: 1 },
        isDryRun: false,
        payloadHash: Buffer.from('01', 'hex'),
        payloadDigest: Buffer.from('01', 'hex'),
        payload: '{}',
        contextDigest: null,
        actor: 'api-key:test',
        submissionId: '1',
        changes: [],
        count: 0,
      })),
      null,
    );

  const succeed = async (first: number) =>
    corrections.succeed(
      executor,
      versionsFrom(first).map((correction) => ({
        correction,
        externalIdentifier: `N-${correction.processId}`,
        warnings: [],
      })),
    );

  const correct = async (first: number, length = BATCH) => {
    const stored = await accounts.lock(executor, idsFrom(first, length));
    await accounts.correct(
      executor,
      [...stored.values()].map((account): AccountCorrection => ({
        stored: account,
        externalIdentifier: account.externalAccountNumber,
        account: newAccountWith(account.number, {
          customer: [{ position: 0, givenName: 'Maeve', familyName: 'Reed', details: {} }],
          ledger: [{ position: 0, balance: '1.00', details: {} }],
          statement_period: [
            { ledgerPosition: 0, position: 0, startDate: null, endDate: '2026-01-01' },
            { ledgerPosition: 0, position: 1, startDate: '2026-01-02', endDate: '2026-12-31' },
          ],
          transaction: [
            {
              ledgerPosition: 0,
              periodPosition: 1,
              transactionId: 'T',
              type: 'CREDIT',
              amount: '1.00',
              transactionDate: '2026-02-01',
              details: {},
            },
          ],
        }),
      })),
    );
  };

  const store = async (from: number, to: number) =>
    executor.client.query(`
      ${insertProcesses(`generate_series(${from}, ${to}) AS n ORDER BY n`, {
        status: `'PROCESSED'`,
        payload_hash: `'\\x00'`,
        payload_digest: `'\\x00'`,
        account_number: `'A-' || lpad(n::text, 8, '0')`,
      })};
      ${insertAccounts(`import_process WHERE id BETWEEN ${from} AND ${to} ORDER BY id`, { number: 'account_number' })};
      INSERT INTO customer (account_id, position, given_name, family_name, details)
      SELECT id, 0, 'Maeve', 'Aldous', '{}' FROM account WHERE id BETWEEN ${from} AND ${to};
      INSERT INTO ledger (account_id, position, balance, details)
      SELECT id, 0, 1, '{}' FROM account WHERE id BETWEEN ${from} AND ${to};
      INSERT INTO statement_period (account_id, ledger_position, position, start_date, end_date, closed_at)
      SELECT id, 0, period, CASE period WHEN 1 THEN '2026-01-02'::date END,
        CASE period WHEN 0 THEN '2026-01-01'::date ELSE '2026-12-31' END, CASE period WHEN 0 THEN now() END
      FROM account CROSS JOIN generate_series(0, 1) AS period WHERE id BETWEEN ${from} AND ${to};
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, details)
      SELECT id, 0, 1, 'T', 'CREDIT', 1, '2026-02-01', '{}' FROM account WHERE id BETWEEN ${from} AND ${to};
      INSERT INTO note (account_id, body, created_at, is_pinned, is_archived, document_paths)
      SELECT id, 'Rang.', now(), false, false, '{}' FROM account WHERE id BETWEEN ${from} AND ${to};`);

  beforeAll(async () => {
    const { client } = executor;
    await client.query(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
      VALUES (1, 'own', '', '{}', false, '')`);
    await store(1, PLANNED);
    await send(1);
    await corrections.read(versionsFrom(1), true);
    await succeed(1);
    await correct(1);
    await send(21);
    await corrections.fail(
      versionsFrom(21).map((started) => ({ started, failure: { code: 'error', detail: 'Words.' } })),
    );
    await removal.histories(executor, idsFrom(1));
    await processes.importedDigests(1, ['N-1']);
    await stale.takeCorrections(1_000, 10);
    await store(PLANNED + 1, STORED);
    // As many corrections that have ended, and as many that wait.
    await client.query(`
      INSERT INTO import_process_correction (process_id, version, supplier_id, submission_id, status, is_dry_run, payload_hash,
        change_count, actor, ended_at)
      SELECT id, 1, 1, 1, 'SUCCEEDED', false, '', 0, '', now() FROM import_process WHERE id > ${PLANNED}`);
  });

  it('is small to accept them, and to find what is unchanged', async () => {
    // Only the first time they are written. The second time, which is counted, finds that they wait.
    expect(await cheap(send(STORED - 100), 20)).not.toContain(undefined);
    const numbers = idsFrom(STORED - 500).map((id) => `N-${id}`);
    expect((await cheap(processes.importedDigests(1, numbers), 15)).size).toBe(BATCH);
  });

  it('is small to read and to end them', async () => {
    await send(STORED - 200);
    expect(await cheap(corrections.read(versionsFrom(STORED - 200), true))).not.toContain(undefined);
    expect(await cheap(succeed(STORED - 200))).not.toContain(false);
  });

  /** Pages of tables and indexes that the session has read so far. A plan does not count those of every part of a statement. */
  async function pagesSoFar(): Promise<number> {
    await executor.client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await executor.client.query<{ pages: number }>(
      `SELECT sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0))::float8 AS pages
       FROM pg_statio_user_tables`,
    );
    return rows[0]!.pages;
  }

  it('is small to correct accounts', async () => {
    const before = await pagesSoFar();
    await correct(STORED - 300);
    // Each of three statements runs twice.
    expect((await pagesSoFar()) - before).toBeLessThan(2 * BATCH * MAX_PAGES_PER_ACCOUNT);
    const { rowCount } = await executor.client.query(`SELECT FROM customer WHERE family_name = 'Reed'`);
    // Those of the first plan, and these.
    expect(rowCount).toBe(2 * BATCH);
  });

  it('is that of a few plans, however often one account is corrected', async () => {
    for (let nth = 1; nth <= 12; nth += 1) await correct(STORED - 600 - nth, 1);
    const { rows } = await executor.client.query<{ name: string; custom: number }>(
      `SELECT name, custom_plans::integer AS custom FROM pg_prepared_statements
       WHERE name ~ 'accounts' AND generic_plans + custom_plans >= 12`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual([
      'correct-accounts',
      'find-additions-of-accounts',
      'lock-accounts-to-correct',
      'lock-parts-of-accounts-to-correct',
    ]);
    expect(Math.max(...rows.map(({ custom }) => custom))).toBeLessThanOrEqual(5);
  });

  it('is small to find what was added to accounts', async () => {
    expect((await cheap(removal.histories(executor, idsFrom(STORED - 400)))).size).toBe(BATCH);
  });

  it('is small for the sweeper', async () => {
    await cheap(stale.takeCorrections(1_000, 10), 30);
  });
});

import {
  insertAccounts,
  insertLines,
  insertProcesses,
  SessionDatabase,
  useCountingExecutor,
} from '@portage/testing/application';
import { AccountRemovalRepository } from '@portage/imports';
import { type NewAddition, SubmissionAdditionRepository } from './additions/submission-addition.repository';
import { obstacleOf } from './rollback';
import { SubmissionReconciliationRepository } from './submission-reconciliation.repository';
import { SubmissionResultsRepository } from './submission-results.repository';

/** Accounts of another supplier, and of another submission of the same one. */
const STORED = 20_000;

/** Accounts of the submission. */
const OWN = 10;

/** Pages that a statement may read for one account: a few levels of the indexes of ten tables. */
const MAX_PAGES_PER_ACCOUNT = 60;

/** The id of the submission. */
const SUBMISSION = '1';

/** The submission of additions, and pages that a statement may read for one of its lines. */
const ADDITIONS = '4';
const MAX_PAGES_PER_LINE = 10;

describe('the cost of the statements about a small submission', () => {
  const executor = useCountingExecutor('Own', 'Other');
  const database = new SessionDatabase(executor);
  const reconciliation = new SubmissionReconciliationRepository(database);
  const results = new SubmissionResultsRepository(database);
  const removal = new AccountRemovalRepository();
  const additions = new SubmissionAdditionRepository(database);
  const cheap = async <Result>(work: Promise<Result>) => executor.within(OWN * MAX_PAGES_PER_ACCOUNT, work);

  const sumLines = async () => reconciliation.sumLines(executor, SUBMISSION).next();
  const sumProcesses = async () => reconciliation.sumProcesses(executor, SUBMISSION, 'PROCESSED').next();
  const read = async () =>
    results.read({ id: SUBMISSION, kind: 'accounts' }, { uploadNumber: 0, line: 0 }, 2_000, ['errored']);
  const cheapLines = async <Result>(work: Promise<Result>) => executor.within(OWN * MAX_PAGES_PER_LINE, work);
  const store = async (first: number) =>
    additions.store(
      { submissionId: ADDITIONS, number: 1 },
      Array.from({ length: OWN }, (_, index): NewAddition => ({
        line: first + index,
        shard: 0,
        kind: 'notes',
        externalAccountNumber: `N-${first + index}`,
        digest: Buffer.from(`own ${first + index}`),
        input: '[]',
        measures: { lines: 1, notes: 1 },
        errors: null,
      })),
      0,
    );
  const take = async () => additions.take(executor, ADDITIONS, 0, { lines: OWN, characters: 1_000_000 });
  const end = async (taken: readonly { id: string }[]) =>
    additions.end(
      executor,
      taken.map(({ id }) => ({ id, status: 'PROCESSED', result: null, errors: null })),
    );
  const ids = Array.from({ length: OWN }, (_, index) => String(index + 1));

  beforeAll(async () => {
    const { client } = executor;
    await client.query(`
      INSERT INTO submission (supplier_id, reference, kind, request_hash, expected, is_dry_run, actor)
      SELECT supplier, name, kind, '', '{}', false, '' FROM (VALUES
        (1, 'own', 'accounts'), (1, 'other', 'accounts'), (2, 'foreign', 'accounts'),
        (1, 'own additions', 'additions'), (1, 'other additions', 'additions'), (2, 'foreign additions', 'additions')
      ) AS s (supplier, name, kind);
      INSERT INTO submission_upload (submission_id, number, actor) SELECT id, 1, '' FROM submission;`);
    await sumLines();
    await sumProcesses();
    await read();
    await removal.histories(executor, ids, SUBMISSION);
    await removal.remove(executor, [], 'ROLLED_BACK', 'operator:test');
    await store(1);
    await end(await take());

    await client.query(`
      CREATE TEMPORARY TABLE made AS
        SELECT id, CASE WHEN id <= ${OWN} THEN 1 WHEN id % 2 = 0 THEN 2 ELSE 3 END AS submission
        FROM generate_series(1, ${STORED}) AS id;
      ${insertProcesses('made JOIN submission ON submission.id = submission ORDER BY made.id', {
        supplier_id: 'supplier_id',
        status: `'PROCESSED'`,
        external_account_number: `'N-' || made.id`,
        account_number: `'A-' || made.id`,
        submission_id: 'submission',
      })};
      ${insertLines('made', {
        submission_id: 'submission',
        line: 'id',
        process_id: 'id',
        customers: '1',
        transactions: '1',
        opening_balance: '1',
      })};
      ${insertAccounts('import_process ORDER BY id')};
      INSERT INTO customer (account_id, position, given_name, family_name, email, details)
      SELECT id, 0, 'A', 'B', 'a@example.org', '{"portfolio_roles": ["ADMIN"]}' FROM account;
      INSERT INTO ledger (account_id, position, balance, details) SELECT id, 0, 1, '{}' FROM account;
      INSERT INTO statement_period (account_id, ledger_position, position, start_date, end_date)
      SELECT id, 0, 0, '2024-01-01', '2024-01-31' FROM account;
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, details)
      SELECT id, 0, 0, 'T-1', 'PAYMENT', 1, '2024-01-01', '{}' FROM account;
      INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths)
      SELECT id, 'Rang.', false, false, '{}' FROM account;
      INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details)
      SELECT id, 'CARD', 'STRIPE', 'pm_' || id, true, '{}' FROM account;
      INSERT INTO submission_addition (submission_id, upload_number, line, supplier_id, shard, kind,
        external_account_number, digest, status, input, size, measures, due_at)
      SELECT submission.id, 1, made.id, supplier_id, 0, 'notes', 'O-' || made.id, sha256(made.id::text::bytea), 'PENDING',
        '[]', 2, '{"lines": 1}', now() + interval '1 hour'
      FROM made JOIN submission ON submission.id = 5 + made.id % 2;`);
  });

  it('is small for its reconciliation', async () => {
    expect(await cheap(sumLines())).toMatchObject({
      value: { totals: { accounts: 10n, opening_balance: 1_000n } },
    });
    expect(await cheap(sumProcesses())).toMatchObject({
      value: {
        part: 'stored',
        count: 10,
        totals: { accounts: 10n, opening_balance: 1_000n, transactions: 10n },
      },
    });
  });

  it('is small for its results, also where a filter finds none', async () => {
    expect(await cheap(read())).toEqual({ rows: [], last: { uploadNumber: 1, line: OWN } });
  });

  it('is small when lines of additions are stored, taken and ended', async () => {
    await cheapLines(store(101));
    const taken = await cheapLines(take());
    expect(taken.map(({ externalAccountNumber }) => externalAccountNumber)).toContain('N-101');
    await cheapLines(end(taken));
  });

  it('is small for its rollback, which deletes nothing else', async () => {
    const histories = [...(await cheap(removal.histories(executor, ids, SUBMISSION))).values()];
    expect(histories.map(obstacleOf)).toEqual(ids.map(() => undefined));
    // Only once: the accounts are gone the second time.
    const values = [ids, 'CANCELLED', ['PROCESSED'], 'ROLLED_BACK', 'operator:test'];
    await cheap(executor.explain('remove-accounts', values));
    const { rowCount } = await executor.client.query('SELECT 1 FROM customer');
    expect(rowCount).toBe(STORED - OWN);
  });
});

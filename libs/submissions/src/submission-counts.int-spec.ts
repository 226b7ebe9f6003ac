import { ImportCountRepository } from '@portage/imports';
import {
  findCountDifferences,
  insertLines,
  insertProcesses,
  SessionDatabase,
  useCountingExecutor,
} from '@portage/testing/application';
import { type LineSums, SubmissionReconciliationRepository } from './submission-reconciliation.repository';
import { SubmissionRepository } from './submission.repository';

/** Accounts and refused lines of the submission 1; the submission 2 has ten times as many. */
const SMALL = 5_000;

describe('the counts of a submission', () => {
  const executor = useCountingExecutor('Own');
  const database = new SessionDatabase(executor);
  const submissions = new SubmissionRepository(database);
  const reconciliation = new SubmissionReconciliationRepository(database);
  const counts = new ImportCountRepository(database);

  beforeAll(async () => {
    const { client } = executor;
    await client.query(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
      SELECT 1, name, '', '{}', false, '' FROM (VALUES ('small'), ('large')) AS s (name);
      INSERT INTO submission_upload (submission_id, number, actor, repeated) SELECT id, 1, '', 7 FROM submission;`);
    // Planned while the tables are empty, as in a new installation.
    await submissions.count('1', executor);
    await sumLines('1');
    await client.query(`
      CREATE TEMPORARY TABLE made AS
        SELECT row_number() OVER () AS id, submission, n FROM (
          SELECT 1 AS submission, n FROM generate_series(1, ${SMALL}) AS n
          UNION ALL SELECT 2, n FROM generate_series(1, ${10 * SMALL}) AS n
        ) AS both_submissions;
      ${insertProcesses('made ORDER BY id', {
        status: `CASE n % 2 WHEN 0 THEN 'PENDING' ELSE 'CANCELLED' END`,
        external_account_number: `'N-' || id`,
        submission_id: 'submission',
      })};
      ${insertLines('made', {
        submission_id: 'submission',
        line: 'n',
        process_id: 'id',
        customers: '1',
        supply_points: '2',
        transactions: '3',
        opening_balance: '0.10',
      })};
      ${insertLines('made', {
        submission_id: 'submission',
        line: 'n + 1000000',
        outcome: `'refused'`,
        refused_key: 'sha256(id::text::bytea)',
        errors: `'[]'`,
        debts: '1',
        opening_balance: '0.01',
      })};`);
  });

  async function sumLines(id: string): Promise<LineSums[]> {
    const sums: LineSums[] = [];
    for await (const one of reconciliation.sumLines(executor, id, 1_000_000)) sums.push(one);
    return sums;
  }

  const sql = async <Row extends object>(text: string) => (await executor.client.query<Row>(text)).rows;

  /** The pages that the read has cost. */
  async function cost(id: string): Promise<number> {
    await submissions.count(id, executor);
    return executor.pages;
  }

  it.each([
    ['before they are folded', 0],
    ['after they are folded', 1_000],
  ])('are exact and cost the same for ten times the lines, %s', async (_when, limit) => {
    if (limit > 0) while ((await counts.fold(limit)) === limit);
    expect(await findCountDifferences(sql)).toEqual([]);
    const half = SMALL / 2;
    expect(await submissions.count('1', executor)).toEqual({
      refused: SMALL,
      takenOver: 0,
      withWarnings: 0,
      unchanged: 0,
      corrections: { pending: 0, succeeded: 0, rehearsed: 0, errored: 0, cancelled: 0 },
      repeated: 7,
      processes: { PENDING: half, CANCELLED: half },
    });
    expect((await submissions.count('2', executor)).processes).toEqual({
      PENDING: 10 * half,
      CANCELLED: 10 * half,
    });
    expect(await sumLines('2')).toEqual(
      expect.arrayContaining([
        {
          isRefused: false,
          totals: expect.objectContaining({
            accounts: 50_000n,
            transactions: 150_000n,
            opening_balance: 500_000n,
          }),
        },
        {
          isRefused: true,
          totals: expect.objectContaining({ accounts: 50_000n, debts: 50_000n, opening_balance: 50_000n }),
        },
      ]),
    );
    const [small, large] = [await cost('1'), await cost('2')];
    // The rows of a submission may lie on one page or on two, and autovacuum may remove folded rows between the reads.
    expect(large).toBeLessThanOrEqual(small + 2);
    expect(small).toBeLessThan(30);
  });
});

import { ChangeFeed } from '@portage/database';
import { Client } from 'pg';
import {
  ImportedTestAccount,
  payment,
  startApplication,
  type TestApplication,
} from '@portage/testing/application';
import { ProcessTransactionsRequest } from '../transactions/process-transactions-request';
import { outcomePolling } from './outcome-waiter';

/** Longer than any test runs. */
const NEVER_MS = 600_000;

describe('the outcome of an account request', () => {
  let test: TestApplication;
  afterEach(async () => {
    await test.app.close();
    jest.restoreAllMocks();
  });

  const imported = async (pollIntervalMs: number) => {
    jest.replaceProperty(outcomePolling, 'intervalMs', pollIntervalMs);
    test = await startApplication('postgres', { OUTCOME_WAIT_MS: '20000' });
    return ImportedTestAccount.create(test, 'O-1');
  };

  it('arrives with its notification', async () => {
    const account = await imported(NEVER_MS);
    const heard: unknown[] = [];
    test.app.get(ChangeFeed).onOutcome((_id, outcome) => heard.push(outcome));
    const { results } = await account.add([payment('P-1')]);
    expect(results).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
    expect(heard).toEqual([
      expect.stringMatching(/^\{"kind":"added","existing":\[\],"moved":\{.*\[0\]\}\}$/),
    ]);
  });

  it('is read from the table if it is too long for a notification', async () => {
    const account = await imported(NEVER_MS);
    const many = Array.from({ length: 3_000 }, (_, i) => payment(`P-${i}`));
    await account.add(many);
    const { results } = await account.add(many);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['TRANSACTION_ALREADY_EXISTS']));
    const [row] = await account.sql<{ longest: number }>(
      'SELECT max(octet_length(outcome::text)) AS longest FROM account_request WHERE account_id = $1',
    );
    expect(row?.longest).toBeGreaterThan(8_000);
  });

  it('is found by polling if the notification was lost', async () => {
    const account = await imported(100);
    const outside = new Client({ connectionString: test.databaseUrl });
    await outside.connect();
    const answer = account.send([payment('P-1')]);
    let id: string | undefined;
    while (id === undefined) [id] = await account.pending();
    const { rowCount } = await outside.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'portage change feed %'`,
    );
    expect(rowCount).toBe(1);
    await outside.end();
    // Long before the feed listens again.
    expect(await test.app.get(ProcessTransactionsRequest).run(id)).toBe('added');
    expect((await answer).results).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
  });
});

import { ChangeFeed } from '@portage/platform';
import {
  ImportedTestAccount,
  payment,
  processRequests,
  startApplication,
  type TestApplication,
} from '@portage/testing/application';
import { Client } from 'pg';
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
    expect(heard).toEqual([{ kind: 'added', existing: [], moved: { [String(results[0]?.moved_to)]: [0] } }]);
  });

  it('arrives with one notification for all requests that share a commit', async () => {
    const one = await imported(NEVER_MS);
    const other = await ImportedTestAccount.create(test, 'O-2');
    const listening = new Client({ connectionString: test.databaseUrl });
    await listening.connect();
    const payloads: string[] = [];
    listening.on('notification', ({ payload = '' }) => payloads.push(payload));
    await listening.query('LISTEN portage_outcomes');
    const answers = [one, other].map(async (account) => account.send([payment('P-1')]));
    const ids = [await one.waitForPending(), await other.waitForPending()];
    expect(await processRequests(test, ids)).toEqual(['added', 'added']);
    for (const { results } of await Promise.all(answers))
      expect(results).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
    await listening.query('SELECT');
    await listening.end();
    expect(payloads.map((payload) => Object.keys(JSON.parse(payload) as object))).toEqual([ids.toSorted()]);
  });

  it('is read from the table if the outcomes of a commit are too long for a notification together', async () => {
    const one = await imported(NEVER_MS);
    const other = await ImportedTestAccount.create(test, 'O-2');
    // Each request has an outcome of about 5,000 bytes: the transactions that exist with other content.
    const many = (amount: number) =>
      Array.from({ length: 100 }, (_, i) => payment(`P-${'x'.repeat(20)}-${i}`, amount));
    for (const account of [one, other]) await account.add(many(1));
    const answers = [one, other].map(async (account) => account.send(many(2)));
    const ids = [await one.waitForPending(), await other.waitForPending()];
    expect(await processRequests(test, ids)).toEqual(['added', 'added']);
    for (const { results } of await Promise.all(answers))
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['TRANSACTION_ALREADY_EXISTS']));
    const [row] = await one.sql<{ shortest: number; longest: number }>(
      `SELECT min(octet_length(outcome::text)) AS shortest, sum(octet_length(outcome::text))::int AS longest
       FROM account_request WHERE id = ANY($2::bigint[]) AND $1 <> '0'`,
      [ids],
    );
    expect(row?.shortest).toBeLessThan(7_900);
    expect(row?.longest).toBeGreaterThan(8_000);
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
    const id = await account.waitForPending();
    const { rowCount } = await outside.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'portage change feed'`,
    );
    expect(rowCount).toBe(1);
    await outside.end();
    // Long before the feed listens again.
    expect(await processRequests(test, [id])).toEqual(['added']);
    expect((await answer).results).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
  });
});

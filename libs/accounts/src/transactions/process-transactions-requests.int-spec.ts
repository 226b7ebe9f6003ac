import { Queues } from '@portage/platform';
import { until } from '@portage/testing';
import {
  ImportedTestAccount,
  payment,
  processRequests,
  supplyCharge,
  useApplication,
} from '@portage/testing/application';
import { Client } from 'pg';
import { SweepFollowUps } from '../requests/sweep-follow-ups';
import { isTransient } from '../requests/transient-failure';

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

describe('a transactions request is performed completely and once (contract, "Add transactions")', () => {
  const test = useApplication();
  let next = 0;

  /** Imported, with June 2024 for its open statement period and a balance of 0.00. */
  const imported = async (more: object = {}) => {
    const account = await ImportedTestAccount.create(test, `T-${next++}`, more);
    return account.withOpenPeriod('2024-06-01', '2024-06-30');
  };

  describe('concurrently', () => {
    it('equal requests add each transaction once', async () => {
      const account = await imported();
      const request = Array.from({ length: 50 }, (_, i) => payment(`P-${i}`, 1));
      // Requests without a key are one request; each key is a separate request.
      const answers = await account.addConcurrently(
        [
          ...Array.from({ length: 5 }, (): [object[]] => [request]),
          ...Array.from({ length: 5 }, (_, i): [object[], object] => [
            request,
            { key: `equal-${account.id}-${i}` },
          ]),
        ],
        6,
      );
      for (const { results } of answers) expect(results).toHaveLength(50);
      expect(await account.transactions()).toHaveLength(50);
      expect(await account.balances()).toEqual(['50.00']);
    });

    it('different requests keep the balance exact', async () => {
      const account = await imported();
      await account.addConcurrently(
        Array.from({ length: 20 }, (_, i) => [
          [payment(`P-${i}`, 0.1), { ...payment(`C-${i}`, 0.03), type: 'CHARGE', reason: 'IMPORTED_CHARGE' }],
        ]),
        20,
      );
      expect(await account.transactions()).toHaveLength(40);
      expect(await account.balances()).toEqual(['1.40']);
    });
  });

  describe('requests for different accounts share a database transaction', () => {
    /** One request for each account, all stored, and none done. */
    const pendingFor = async (accounts: readonly ImportedTestAccount[]) => {
      const answers = accounts.map(async (account) => {
        const result = account.send([payment('P-1')]);
        return result.catch((error: unknown) => error);
      });
      const ids: string[] = [];
      for (const account of accounts) ids.push(await account.waitForPending());
      return { ids, answers };
    };
    const transactionOf = async (account: ImportedTestAccount) => {
      const [row] = await account.sql<{ xmin: string }>('SELECT xmin FROM transaction WHERE account_id = $1');
      return row?.xmin;
    };

    /** Runs the requests as one job and returns their outcomes, and the answers of their clients. */
    const performTogether = async (accounts: readonly ImportedTestAccount[]) => {
      const { ids, answers } = await pendingFor(accounts);
      return { outcomes: await processRequests(test, ids), answers: await Promise.all(answers) };
    };
    const isAdded = { results: [{ status: ADDED }] };

    it('concurrent requests share a job, which carries ids only', async () => {
      const accounts = [await imported(), await imported(), await imported()] as const;
      const { ids, answers } = await pendingFor(accounts);
      const queue = test.app.get(Queues).get('transactions');
      const findJob = async () => queue.getJob(`account-requests-${ids[0]}`);
      await until(async () => (await findJob()) !== undefined, 'no job of the requests');
      const job = await findJob();
      expect([job?.name, job?.data]).toEqual([
        'add-transactions-batch',
        {
          organisationId: test.organisationId,
          supplier: 'LEGACY',
          requests: accounts.map(({ number }, index) => ({
            requestId: ids[index],
            externalAccountNumber: number,
          })),
        },
      ]);
      for (const id of ids) expect(await queue.getJob(`account-request-${id}`)).toBeUndefined();
      expect(await processRequests(test, ids)).toEqual(['added', 'added', 'added']);
      await Promise.all(answers);
      const transactions = await Promise.all(accounts.map(transactionOf));
      expect(new Set(transactions).size).toBe(1);
    });

    it('each request has its own outcome, so that one failure does not affect the others', async () => {
      const [one, broken, other] = [await imported(), await imported(), await imported()];
      await broken.sql('DELETE FROM statement_period WHERE account_id = $1 AND closed_at IS NULL');
      const { outcomes, answers } = await performTogether([one, broken, other]);
      expect(outcomes).toEqual(['added', 'failed', 'added']);
      expect(answers).toMatchObject([isAdded, { code: 'error' }, isAdded]);
      for (const account of [one, other]) expect(await account.balances()).toEqual(['10.00']);
      expect(await broken.transactions()).toEqual([]);
    });

    it('a violated constraint fails one request only, of which nothing is stored', async () => {
      const [one, broken, other] = [await imported(), await imported(), await imported()];
      await test.sql(
        `ALTER TABLE transaction ADD CONSTRAINT refuses CHECK (account_id <> ${broken.id}) NOT VALID`,
      );
      try {
        const { outcomes, answers } = await performTogether([one, broken, other]);
        expect(outcomes).toEqual(['added', 'failed', 'added']);
        expect(answers).toMatchObject([isAdded, { code: 'error' }, isAdded]);
      } finally {
        await test.sql('ALTER TABLE transaction DROP CONSTRAINT refuses');
      }
      for (const account of [one, other]) expect(await account.balances()).toEqual(['10.00']);
      expect([await broken.transactions(), await broken.balances()]).toEqual([[], ['0.00']]);
    });

    it('a request that was erased or started too often fails alone', async () => {
      const [one, erased, crashing] = [await imported(), await imported(), await imported()];
      const { ids, answers } = await pendingFor([one, erased, crashing]);
      await erased.sql('UPDATE account SET erased_at = now(), payload_erased_at = now() WHERE id = $1');
      await crashing.sql('UPDATE account_request SET attempt = 25 WHERE account_id = $1');
      expect(await processRequests(test, ids)).toEqual(['added', 'failed', 'failed']);
      expect(await Promise.all(answers)).toMatchObject([isAdded, { code: 'error' }, { code: 'error' }]);
      for (const account of [erased, crashing]) expect(await account.transactions()).toEqual([]);
    });

    it('each request is added once if several jobs perform it at the same time', async () => {
      const accounts = [await imported(), await imported(), await imported(), await imported()];
      const { ids, answers } = await pendingFor(accounts);
      const jobs = [ids, ids.toReversed(), ids.slice(1), ids.slice(2), ...ids.map((id) => [id])];
      const outcomes = await Promise.all(jobs.map(async (job) => processRequests(test, job)));
      expect(outcomes.flat().filter((outcome) => outcome === 'added')).toHaveLength(4);
      expect(new Set(outcomes.flat())).toEqual(new Set(['added', 'outdated']));
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject(isAdded);
      for (const account of accounts) expect(await account.balances()).toEqual(['10.00']);
    });

    it('only the request for a locked account waits', async () => {
      const accounts = [await imported(), await imported(), await imported()] as const;
      const [held, one, other] = accounts;
      const holding = new Client({ connectionString: test.databaseUrl });
      await holding.connect();
      await holding.query(`BEGIN; SELECT 1 FROM account WHERE id = ${held.id} FOR NO KEY UPDATE`);
      const { ids, answers } = await pendingFor(accounts);
      const outcomes = processRequests(test, ids);
      for (const answer of await Promise.all(answers.slice(1))) expect(answer).toMatchObject(isAdded);
      expect(await transactionOf(one)).toBe(await transactionOf(other));
      expect(await held.transactions()).toEqual([]);
      await holding.query('COMMIT');
      await holding.end();
      expect(await outcomes).toEqual(['added', 'added', 'added']);
      expect(await answers[0]).toMatchObject(isAdded);
    });
  });

  describe('check_previously_added=false', () => {
    const unchecked = { checkPreviouslyAdded: false };

    it('adds a transaction again', async () => {
      const account = await imported();
      for (const _ of [1, 2])
        expect((await account.add([payment('P-1')], unchecked)).results).toMatchObject([{ status: ADDED }]);
      expect(await account.transactions()).toHaveLength(2);
      expect(await account.balances()).toEqual(['20.00']);
    });

    it('does not add a transaction again for a repeated request with the same key', async () => {
      const account = await imported();
      const request = [payment('P-1'), payment('P-2', 1, '2024-01-01')];
      const key = `lost-${account.id}`;
      const first = await account.add(request, { ...unchecked, key });
      expect(await account.send(request, { ...unchecked, key })).toEqual({ ...first, isReplayed: true });
      expect(await account.transactions()).toHaveLength(2);
      await expect(account.send([payment('P-3')], { ...unchecked, key })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    });

    it('allows a refused request to be corrected and sent again with the same key', async () => {
      const account = await imported();
      const key = `refused-${account.id}`;
      const force = { forceAddToCurrentStatement: false };
      await expect(account.add([payment('P-1', 1, '2024-01-01')], { ...force, key })).rejects.toThrow();
      expect((await account.add([payment('P-1', 1)], { ...force, key })).results).toMatchObject([
        { status: ADDED },
      ]);
    });
  });

  it('the queue retries a request after a lost connection, and nothing is lost or added twice', async () => {
    const account = await imported();
    const answer = account.send([payment('P-1')], { checkPreviouslyAdded: false });
    const id = await account.waitForPending();
    const holding = new Client({ connectionString: test.databaseUrl });
    await holding.connect();
    await holding.query(`BEGIN; SELECT 1 FROM account WHERE id = ${account.id} FOR UPDATE`);
    const interrupted = processRequests(test, [id]).catch((error: unknown) => error);
    await until(
      async () =>
        (
          await holding.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).rowCount === 1,
      'no transaction that waits for the account',
    );
    expect(isTransient(await interrupted)).toBe(true);
    await holding.end();
    expect(await account.pending()).toEqual([id]);
    expect(await processRequests(test, [id])).toEqual(['added']);
    expect((await answer).results).toMatchObject([{ status: ADDED }]);
    expect(await account.balances()).toEqual(['10.00']);
  });

  it('a request whose job was lost gets a new one from the sweeper', async () => {
    const account = await imported();
    const answer = account.send([payment('P-1')]);
    const id = await account.waitForPending();
    const queue = test.app.get(Queues).get('transactions');
    const job = async () => queue.getJob(`account-request-${id}`);
    await until(async () => (await job()) !== undefined, 'no job');
    await (await job())!.remove();
    await account.sql(
      `UPDATE account_request SET enqueued_at = now() - interval '1 day' WHERE account_id = $1`,
    );
    expect(await test.app.get(SweepFollowUps).sweep()).toBeGreaterThanOrEqual(1);
    expect((await job())?.data).toMatchObject({ requestId: id, externalAccountNumber: account.number });
    await processRequests(test, [id]);
    expect((await answer).results).toMatchObject([{ status: ADDED }]);
  });

  it('adds as many transactions as a request may have in a few seconds', async () => {
    const account = await imported();
    const request = Array.from({ length: 10_000 }, (_, i) =>
      i % 10 === 0
        ? supplyCharge(`S-${i}`, `MANY-${i % 70}-${i}`, '2024-06-01', '2024-06-10')
        : payment(`P-${i}`, 0.01, i % 2 === 0 ? '2024-06-15' : '2024-05-01'),
    );
    const start = performance.now();
    const { results } = await account.add(request);
    const seconds = (performance.now() - start) / 1_000;
    process.stderr.write(`10,000 transactions took ${seconds.toFixed(1)} s.\n`);
    expect(results.every(({ status }) => status === ADDED)).toBe(true);
    expect(seconds).toBeLessThan(60);
    expect(await account.balances()).toEqual(['-4910.00']);
    const restart = performance.now();
    expect((await account.add(request)).results.every(({ status }) => status === EXISTS)).toBe(true);
    process.stderr.write(`Sent again: ${((performance.now() - restart) / 1_000).toFixed(1)} s.\n`);
    expect(await test.countRows('transaction WHERE account_id = $1', [account.id])).toBe(10_000);
  });
});

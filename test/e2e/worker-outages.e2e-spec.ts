import { account, type Answer, Installation, testedBackends, until } from '@portage/testing';
import { json, silent, TestServer } from '@portage/testing/test-server';
import { Client } from 'pg';
import { paymentMethod } from '../../libs/accounts/test/vendor-responses';

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';

describe.each(testedBackends())('while workers are down, with the queue in %s', (backend) => {
  let stripe: TestServer;
  const portage = Installation.use(async () => {
    stripe = await TestServer.start(silent);
    const env = { STRIPE_API_BASE: stripe.url, STRIPE_API_KEY: 'sk_test_outages' };
    return { backend, workers: 0, env };
  });
  afterAll(async () => stripe.stop());
  beforeEach(async () => {
    if (portage.workers.length === 0) await portage.startWorker();
  });

  async function killWorkers(): Promise<void> {
    await Promise.all(
      portage.workers.splice(0).map(async (worker) => {
        worker.kill();
        await worker.exited;
      }),
    );
  }

  async function importAccounts(...numbers: string[]): Promise<void> {
    for (const number of numbers) expect((await portage.schedule(account(number))).status).toBe(201);
    for (const number of numbers) await portage.waitForAccount(number, 'PROCESSED');
  }

  it('transactions are answered 503; a later worker adds them once, and a repeated request gets its answer', async () => {
    await importAccounts('AWAY', 'AWAY-KEYED');
    const create = async (
      number: string,
      headers: Record<string, string> = {},
      baseUrl = portage.baseUrl,
    ): Promise<Answer> => {
      const transactions = ['P-1', 'P-2'].map((transaction_id) => ({
        transaction_id,
        transaction_date: '2024-06-15',
        type: 'PAYMENT',
        amount: 10,
      }));
      return portage.send('POST', '/v1/data-import/transactions/create/?check_previously_added=false', {
        body: { import_supplier: 'LEGACY', external_account_number: number, transactions },
        headers,
        baseUrl,
      });
    };
    const statuses = ({ body }: Answer): string[] =>
      (body.results as { status: string }[]).map(({ status }) => status);
    const stored = async (number: string) =>
      portage.sql<{ id: string; balance: string }>(
        `SELECT transaction_id AS id, balance FROM transaction JOIN ledger USING (account_id)
         JOIN account ON account.id = account_id WHERE external_account_number = $1 ORDER BY transaction.id`,
        [number],
      );
    const pending = async () =>
      (await portage.sql(`SELECT 1 FROM account_request WHERE status = 'PENDING'`)).length;

    await killWorkers();
    const key = { 'idempotency-key': `away-${backend}` };
    const impatient = await portage.addApi({ OUTCOME_WAIT_MS: '1000' });
    const answers = await Promise.all(
      (
        [
          ['AWAY', {}],
          ['AWAY', {}],
          ['AWAY-KEYED', key],
        ] as const
      ).map(async ([number, headers]) => create(number, headers, impatient.baseUrl)),
    );
    await impatient.stop();
    for (const { status, body, headers } of answers)
      expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([503, 'unavailable', true]);
    expect(await stored('AWAY')).toEqual([]);

    // A lock holds up the new worker, so that the repetition joins the active request.
    const holding = new Client({ connectionString: portage.databaseUrl });
    await holding.connect();
    await holding.query('BEGIN; SELECT 1 FROM account FOR UPDATE');
    await portage.startWorker();
    const joined = create('AWAY');
    const waiting = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await portage.countRows(waiting)) > 0, 'No statement waits for the lock.');
    await holding.end();
    expect(statuses(await joined)).toEqual([ADDED, ADDED]);
    await until(
      async () => (await pending()) === 0,
      async () => `${await pending()} requests that are not done`,
    );
    const repeated = await create('AWAY-KEYED', key);
    expect([repeated.status, statuses(repeated)]).toEqual([201, [ADDED, ADDED]]);
    for (const number of ['AWAY', 'AWAY-KEYED'])
      expect(await stored(number)).toEqual(['P-1', 'P-2'].map((id) => ({ id, balance: '20.00' })));
  });

  it('an instruction whose worker was killed during the request to the vendor is verified again and stored once', async () => {
    await importAccounts('KILLED');
    stripe.respond = silent;
    const create = async () =>
      portage.post('/v1/data-import/payment-instruction/create/', {
        import_supplier: 'LEGACY',
        external_account_number: 'KILLED',
        type: 'CARD',
        vendor: 'STRIPE',
        reference: 'pm_killed',
      });
    const answer = create();
    await until(
      () => stripe.requests.length === 1,
      () => `the vendor got ${stripe.requests.length} requests`,
    );
    stripe.respond = json(200, paymentMethod({ id: 'pm_killed' }));
    await killWorkers();
    await portage.startWorker();
    const { status } = await answer;
    // On a busy machine the next worker starts after OUTCOME_WAIT_MS, and a repeated request finds the outcome.
    expect([201, 503]).toContain(status);
    if (status === 503)
      await until(async () => (await create()).status === 201, 'the request is not performed');
    expect(stripe.requests).toHaveLength(2);
    expect(await portage.sql('SELECT reference, is_active FROM payment_instruction')).toEqual([
      { reference: 'pm_killed', is_active: true },
    ]);
  });
});

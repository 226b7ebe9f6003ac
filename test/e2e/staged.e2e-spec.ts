import { account, testedBackends, TestPortage } from '@portage/testing';

const COHORT = 1_000;
const CONNECTIONS = 32;

describe.each(testedBackends())('a cohort that is staged, with the queue in %s', (backend) => {
  let portage: TestPortage;

  beforeAll(async () => {
    portage = await TestPortage.start({ backend, workers: 2 });
    await portage.operator('supplier', 'set', 'LEGACY', '--creation-mode', 'staged');
  });
  afterAll(async () => {
    await portage.stop();
  });

  it('of 1,000 accounts is rehearsed, waits, and is created once by one command', async () => {
    const numbers = Array.from({ length: COHORT }, (_, index) => `S-${index}`);
    const left = numbers.values();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const number of left) expect((await portage.schedule(account(number))).status).toBe(201);
      }),
    );
    await portage.waitFor('DRY_RUN_SUCCEEDED', COHORT, 60_000);
    expect(await portage.sql('SELECT number FROM account LIMIT 1')).toEqual([]);
    const told = (await portage.get('/v1/data-import/account-transfer-status/LEGACY/S-0/')).body;
    expect(told).toMatchObject({ status: 'UNKNOWN' });

    expect(await portage.operator('process', 'release', '--supplier', 'LEGACY', '--all')).toEqual({
      released: COHORT,
      skipped: {},
    });
    await portage.waitFor('PROCESSED', COHORT, 60_000);
    const accounts = await portage.sql<{ external_account_number: string }>(
      'SELECT external_account_number FROM account',
    );
    expect(accounts.map((one) => one.external_account_number).sort()).toEqual(numbers.sort());
    const histories = await portage.sql(
      `SELECT history, count(*)::int AS count FROM (
         SELECT string_agg(event, ' ' ORDER BY occurred_at, version, attempt) AS history FROM import_process_event GROUP BY process_id
       ) AS histories GROUP BY history`,
    );
    expect(histories).toEqual([
      { history: 'SCHEDULED STARTED DRY_RUN_SUCCEEDED RELEASED STARTED PROCESSED', count: COHORT },
    ]);
  }, 180_000);
});

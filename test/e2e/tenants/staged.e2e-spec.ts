import { SharedPortage, testedBackends } from '@portage/testing';

const COHORT = 50;
const CONNECTIONS = 10;
const OF_SUPPLIER = 'WHERE supplier_id = (SELECT id FROM import_supplier WHERE code = $1)';

describe.each(testedBackends())('staged accounts, with the queue in %s', (backend) => {
  const portage = SharedPortage.use(backend);

  beforeAll(async () => {
    await portage.operator('supplier', 'set', portage.supplier, '--creation-mode', 'staged');
  });

  it('are dry run, wait, and are created once after one release command for all', async () => {
    const numbers = Array.from({ length: COHORT }, (_, index) => `S-${index}`);
    const left = numbers.values();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const number of left) expect((await portage.schedule(portage.account(number))).status).toBe(201);
      }),
    );
    await portage.waitFor('DRY_RUN_SUCCEEDED', COHORT);
    expect(
      await portage.sql(`SELECT number FROM account ${OF_SUPPLIER} LIMIT 1`, [portage.supplier]),
    ).toEqual([]);
    const status = (await portage.get(`/v1/data-import/account-transfer-status/${portage.supplier}/S-0/`))
      .body;
    expect(status).toMatchObject({ status: 'UNKNOWN' });

    expect(
      await portage.operator('process', 'release', '--supplier', portage.supplier, '--all'),
    ).toMatchObject({
      changed: COHORT,
      skipped: {},
    });
    await portage.waitFor('PROCESSED', COHORT);
    const accounts = await portage.sql<{ external_account_number: string }>(
      `SELECT external_account_number FROM account ${OF_SUPPLIER}`,
      [portage.supplier],
    );
    expect(accounts.map((one) => one.external_account_number).sort()).toEqual(numbers.sort());
    const histories = await portage.sql(
      `SELECT history, count(*)::int AS count FROM (
         SELECT string_agg(event, ' ' ORDER BY occurred_at, import_process_event.version, import_process_event.attempt) AS history
         FROM import_process_event JOIN (SELECT id FROM import_process ${OF_SUPPLIER}) process ON id = process_id GROUP BY process_id
       ) AS histories GROUP BY history`,
      [portage.supplier],
    );
    expect(histories).toEqual([{ history: 'SCHEDULED DRY_RUN_SUCCEEDED RELEASED PROCESSED', count: COHORT }]);
  });
});

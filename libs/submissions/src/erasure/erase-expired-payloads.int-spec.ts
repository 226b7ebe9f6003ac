import { ImportSuppliers } from '@portage/tenants';
import {
  insertAccounts,
  insertProcesses,
  StoredProcesses,
  useApplication,
} from '@portage/testing/application';
import { EraseExpiredPayloads } from './erase-expired-payloads';

const test = useApplication();
const processes = new StoredProcesses(test);
beforeEach(async () => {
  await processes.removeAll();
  await retain(null);
});

const run = async () => test.app.get(EraseExpiredPayloads).run();
const retain = async (days: number | null) =>
  test.app.get(ImportSuppliers).set('LEGACY', { retainPayloadDays: days });

/** Creates an account of this age. */
async function imported(number: string, daysAgo: number): Promise<void> {
  const { processId } = await processes.inState('PROCESSED', { externalAccountNumber: number });
  await processes.sql(`UPDATE account SET created_at = now() - $2 * interval '1 day' WHERE process_id = $1`, [
    processId,
    daysAgo,
  ]);
}

/** The account numbers of the processes that still have a payload. */
async function payloadOwners(): Promise<string[]> {
  const rows = await processes.sql<{ number: string }>(
    `SELECT external_account_number AS number FROM import_process JOIN import_process_payload ON process_id = id
     ORDER BY id`,
  );
  return rows.map(({ number }) => number);
}

it('erases the payloads of accounts whose retention period has ended, and no others', async () => {
  await imported('old', 31);
  await imported('young', 29);
  for (const status of ['PENDING', 'ERRORED', 'DRY_RUN_SUCCEEDED', 'CANCELLED'] as const)
    await processes.inState(status, { externalAccountNumber: status });
  await processes.sql(`UPDATE import_process SET created_at = now() - interval '1 year'`);
  expect(await run()).toBe(0);
  await retain(30);
  expect(await run()).toBe(1);
  expect(await payloadOwners()).toEqual(['young', 'PENDING', 'ERRORED', 'DRY_RUN_SUCCEEDED', 'CANCELLED']);
  expect(await run()).toBe(0);
  await retain(0);
  // The other account, and the three processes that have ended without one.
  expect(await run()).toBe(4);
  await retain(null);
  await imported('later', 400);
  expect(await run()).toBe(0);
});

it('erases finished processes without an account after the same period, counted from their last change', async () => {
  const statuses = [
    'PENDING',
    'IN_PROGRESS',
    'ERRORED',
    'DRY_RUN_ERRORED',
    'DRY_RUN_SUCCEEDED',
    'CANCELLED',
  ] as const;
  for (const status of statuses)
    for (const age of ['old', 'young'])
      await processes.inState(status, { externalAccountNumber: `${status} ${age}` });
  await processes.sql(
    `UPDATE import_process SET modified_at = now() - CASE WHEN external_account_number LIKE '% old'
       THEN interval '31 days' ELSE interval '29 days' END`,
  );
  await retain(30);
  expect(await run()).toBe(4);
  expect(await run()).toBe(0);
  const erased = await processes.sql<{ number: string; payload: unknown; actor: string | null }>(
    `SELECT external_account_number AS number, payload, actor FROM import_process process
     LEFT JOIN import_process_payload payload ON payload.process_id = process.id
     JOIN import_process_event event ON event.process_id = process.id AND event = 'ERASED' ORDER BY process.id`,
  );
  expect(erased).toEqual(
    statuses.slice(2).map((status) => ({ number: `${status} old`, payload: null, actor: null })),
  );
});

it('finds due processes with an index scan, so that a run reads only what it erases', async () => {
  const plan = await processes.sql<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT id FROM import_process
     WHERE status IN ('DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED') AND payload_hash <> ''
       AND supplier_id = 1 AND modified_at < now() ORDER BY modified_at LIMIT 500`,
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('import_process_payload_kept');
});

it('records the time of the erasure, and leaves the imported account as it is', async () => {
  await imported('N-1', 2);
  await retain(1);
  const account = async () =>
    test.sql<Record<string, unknown>>('SELECT * FROM account WHERE external_account_number = $1', ['N-1']);
  const [before] = await account();
  await run();
  expect(await account()).toEqual([{ ...before, payload_erased_at: expect.any(String) }]);
});

it('erases each payload once when several workers run concurrently', async () => {
  const inserted = insertProcesses('generate_series(1, 1800) AS n', {
    external_account_number: `'M-' || n`,
    status: `'PROCESSED'`,
    account_number: `'A-' || lpad(to_hex(n), 8, '0')`,
  });
  await processes.sql(
    `WITH process AS (${inserted} RETURNING *), payload AS (
       INSERT INTO import_process_payload (process_id, payload) SELECT id, '{}' FROM process
     ) ${insertAccounts('process', { number: 'account_number', created_at: `now() - interval '9 days'` })}`,
  );
  await retain(7);
  const counts = await Promise.all([run(), run(), run()]);
  // A worker that finds the remaining rows locked leaves them to the worker that holds the locks.
  expect(counts.reduce((sum, count) => sum + count) + (await run())).toBe(1_800);
  expect(await payloadOwners()).toEqual([]);
});

it.each([-1, 0.5, 36_501, NaN])('refuses a retention period of %d days', async (days) => {
  await expect(retain(days)).rejects.toThrow(
    '--retain-payload-days must be none, or a whole number from 0 to 36500.',
  );
});

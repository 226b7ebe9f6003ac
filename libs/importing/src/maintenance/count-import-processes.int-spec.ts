import { Metrics } from '@portage/observability';
import { QueueBackend } from '@portage/queues';
import { Client } from 'pg';
import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { ImportProcessCounts } from '../import-process/import-process-counts';
import { ImportSuppliers } from '../suppliers/import-suppliers';
import { CountImportProcesses } from './count-import-processes';

/** A sweep of these settings looks at a process every two seconds, so it is stuck after twenty. */
const PATIENCE_SECONDS = 20;
const METRICS_TIMEOUT_MS = 500;

let test: TestApplication;
let stored: StoredProcesses;

beforeEach(async () => {
  test = await startApplication('postgres', {
    SWEEP_AFTER_MS: '1500',
    SWEEP_INTERVAL_MS: '500',
    METRICS_TIMEOUT_MS: String(METRICS_TIMEOUT_MS),
  });
  stored = new StoredProcesses(test);
});
afterEach(async () => {
  await test.app.close();
});

const count = async () => test.app.get(CountImportProcesses).run();

/** What Prometheus would be told. */
async function shown(): Promise<{ processes: Record<string, number>; stuck: number | undefined }> {
  await test.app.get(ImportProcessCounts).observe();
  const { processes, stuckProcesses } = test.app.get(Metrics);
  const { values } = await processes.get();
  return {
    processes: Object.fromEntries(
      values.map(({ labels, value }) => [`${labels['supplier']} ${labels['status']}`, value]),
    ),
    stuck: (await stuckProcesses.get()).values[0]?.value,
  };
}

const age = async (column: 'enqueued_at' | 'modified_at', number: string, seconds: number) =>
  stored.sql(
    `UPDATE import_process SET ${column} = now() - $2 * interval '1 second' WHERE external_account_number = $1`,
    [number, seconds],
  );

it('every supplier has its processes counted by status, and a status that empties goes to 0', async () => {
  const other = await test.app.get(ImportSuppliers).create('OTHER', 'Supplier Ltd', {});
  for (const status of ['PENDING', 'PENDING', 'PROCESSED', 'ERRORED', 'CANCELLED'] as const)
    await stored.inState(status);
  await stored.inState('PENDING', { supplierId: other.id });
  expect(await count()).toBe(6);
  expect(await shown()).toEqual({
    processes: {
      'LEGACY PENDING': 2,
      'LEGACY PROCESSED': 1,
      'LEGACY ERRORED': 1,
      'LEGACY CANCELLED': 1,
      'OTHER PENDING': 1,
    },
    stuck: 0,
  });
  await stored.sql(`DELETE FROM import_process_event`);
  await stored.sql(`DELETE FROM import_process_payload`);
  await stored.sql(`DELETE FROM import_process WHERE status = 'PENDING'`);
  expect(await count()).toBe(3);
  expect((await shown()).processes).toMatchObject({ 'LEGACY PENDING': 0, 'OTHER PENDING': 0 });
});

it('counting reads an index and not the table', async () => {
  const plan = await stored.sql<{ 'QUERY PLAN': string }>(
    'EXPLAIN SELECT supplier_id, status, count(*) FROM import_process GROUP BY supplier_id, status',
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
    'Index Only Scan using import_process_status',
  );
});

it('a process is stuck when it is due and no sweep has seen it, or when it never ends', async () => {
  const soon = new Date(Date.now() + 3_600_000);
  await stored.inState('PENDING', { externalAccountNumber: 'forgotten' });
  await stored.inState('PENDING', { externalAccountNumber: 'seen' });
  await stored.inState('PENDING', { externalAccountNumber: 'not due', scheduleWindowStart: soon });
  await stored.inState('IN_PROGRESS', { externalAccountNumber: 'hangs' });
  await stored.inState('IN_PROGRESS', { externalAccountNumber: 'runs' });
  await stored.inState('ERRORED', { externalAccountNumber: 'ended' });
  for (const number of ['forgotten', 'not due', 'ended'])
    await age('enqueued_at', number, PATIENCE_SECONDS + 5);
  await age('enqueued_at', 'seen', PATIENCE_SECONDS - 5);
  for (const number of ['hangs', 'ended']) await age('modified_at', number, PATIENCE_SECONDS + 5);
  await age('modified_at', 'runs', PATIENCE_SECONDS - 5);
  // The sweeper finds the job of what hangs alive.
  await age('enqueued_at', 'hangs', 0);
  await count();
  expect((await shown()).stuck).toBe(2);
});

it('what merely waits behind a long queue is not stuck', async () => {
  await stored.inState('PENDING', { externalAccountNumber: 'waits' });
  await age('enqueued_at', 'waits', 3_600);
  await test.app
    .get(QueueBackend)
    .queue('account-imports')
    .add('import-account', {}, { timestamp: Date.now() - 3_600_000 });
  await count();
  expect((await shown()).stuck).toBe(0);
});

it('counts that nobody has renewed are not shown', async () => {
  await stored.inState('PENDING');
  await count();
  expect((await shown()).stuck).toBe(0);
  await stored.sql(`UPDATE import_process_count SET counted_at = counted_at - interval '6 minutes'`);
  expect(await shown()).toEqual({ processes: {}, stuck: undefined });
});

it('a scrape neither waits for a database that does not answer, nor fails, nor asks it twice', async () => {
  await stored.inState('PENDING');
  await count();
  const client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK import_process_count IN ACCESS EXCLUSIVE MODE');
    const start = performance.now();
    expect(await shown()).toEqual({ processes: {}, stuck: undefined });
    await shown();
    expect(performance.now() - start).toBeLessThan(4 * METRICS_TIMEOUT_MS);
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%import_process_count%'
         AND datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
  } finally {
    await client.end();
  }
  expect((await shown()).processes).toEqual({ 'LEGACY PENDING': 1 });
});

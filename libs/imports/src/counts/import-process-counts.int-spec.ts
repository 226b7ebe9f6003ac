import { Queues, SCRAPE_TIMEOUT_MS } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import {
  StoredProcesses,
  TestSubmission,
  useApplicationPerCase,
  withoutEventProtection,
} from '@portage/testing/application';
import { Client } from 'pg';
import { FoldImportCounts } from './fold-import-counts';
import { ImportProcessCounts } from './import-process-counts';
import { ImportMetrics } from './import-metrics';

/** With these settings a process is swept every two seconds, so that it is stuck after ten sweeps. */
const STUCK_AFTER_SECONDS = 20;

const test = useApplicationPerCase('postgres', { SWEEP_AFTER_MS: '1500', SWEEP_INTERVAL_MS: '500' });
const stored = new StoredProcesses(test);

/** The metrics of a scrape. */
async function scrape(): Promise<{ processes: Record<string, number>; stuck: number | undefined }> {
  await test.app.get(ImportProcessCounts).observe();
  const { processes, stuckProcesses } = test.app.get(ImportMetrics);
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

it('counts processes by supplier and status, and reports 0 for a status that becomes empty', async () => {
  const other = await test.app.get(ImportSuppliers).create('OTHER', 'Supplier Ltd', {});
  for (const status of ['PENDING', 'PENDING', 'PROCESSED', 'ERRORED', 'CANCELLED'] as const)
    await stored.inState(status);
  await stored.inState('PENDING', { supplierId: other.id });
  expect(await scrape()).toMatchObject({
    processes: {
      'LEGACY PENDING': 2,
      'LEGACY PROCESSED': 1,
      'LEGACY ERRORED': 1,
      'LEGACY CANCELLED': 1,
      'OTHER PENDING': 1,
    },
    stuck: 0,
  });
  await stored.sql(withoutEventProtection(`DELETE FROM import_process_event`));
  await stored.sql(`DELETE FROM import_process_payload`);
  await stored.sql(`DELETE FROM import_process WHERE status = 'PENDING'`);
  expect((await scrape()).processes).toMatchObject({ 'LEGACY PENDING': 0, 'OTHER PENDING': 0 });
});

it('counts the lines of each supplier, also before its first upload', async () => {
  const lines = async () => {
    await test.app.get(ImportProcessCounts).observe();
    const { values } = await test.app.get(ImportMetrics).submissionLines.get();
    return values.map(({ labels, value }) => [labels['supplier'], labels['outcome'], value]).sort();
  };
  expect(await lines()).toEqual([
    ['LEGACY', 'accepted', 0],
    ['LEGACY', 'refused', 0],
  ]);
  const submission = await TestSubmission.open(test, 'lines');
  await submission.ended('L-1', 'PENDING');
  await submission.refused('L-2', []);
  expect(await lines()).toEqual([
    ['LEGACY', 'accepted', 1],
    ['LEGACY', 'refused', 1],
  ]);
});

it('reports how long the accounts of an organisation are due while none of them ends', async () => {
  const stalled = async () => {
    await test.app.get(ImportProcessCounts).observe();
    const { values } = await test.app.get(ImportMetrics).organisationStalled.get();
    return Math.round(values.find(({ labels }) => labels['organisation'] === 'Supplier Ltd')!.value);
  };
  expect(await stalled()).toBe(0);
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  await stored.inState('PENDING', { externalAccountNumber: 'not due', scheduleWindowStart: soon });
  await stored.inState('PENDING', { externalAccountNumber: 'staged' });
  await stored.sql(
    `UPDATE import_process SET enqueued_at = 'infinity' WHERE external_account_number = 'staged'`,
  );
  for (const number of ['not due', 'staged']) await age('modified_at', number, 900);
  await stored.sql(
    `UPDATE import_process SET enqueued_at = schedule_window_start WHERE schedule_window_start > now()`,
  );
  expect(await stalled()).toBe(0);
  await stored.inState('PENDING', { externalAccountNumber: 'due' });
  await age('modified_at', 'due', 900);
  expect(await stalled()).toBeCloseTo(900, -1);
  await stored.sql(`UPDATE import_supplier SET status = 'Paused'`);
  expect(await stalled()).toBe(0);
  await stored.sql(`UPDATE import_supplier SET status = 'Ongoing'`);
  await stored.inState('PROCESSED');
  await test.app.get(FoldImportCounts).run();
  expect(await stalled()).toBe(0);
});

it('counts a process as stuck if it is due and no sweep has checked it, or if it never ends', async () => {
  const soon = new Date(Date.now() + 3_600_000);
  await stored.inState('PENDING', { externalAccountNumber: 'forgotten' });
  await stored.inState('PENDING', { externalAccountNumber: 'seen' });
  await stored.inState('PENDING', {
    externalAccountNumber: 'not due',
    scheduleWindowStart: soon.toISOString(),
  });
  await stored.inState('IN_PROGRESS', { externalAccountNumber: 'hangs' });
  await stored.inState('IN_PROGRESS', { externalAccountNumber: 'runs' });
  await stored.inState('ERRORED', { externalAccountNumber: 'ended' });
  for (const number of ['forgotten', 'not due', 'ended'])
    await age('enqueued_at', number, STUCK_AFTER_SECONDS + 5);
  await age('enqueued_at', 'seen', STUCK_AFTER_SECONDS - 5);
  for (const number of ['hangs', 'ended']) await age('modified_at', number, STUCK_AFTER_SECONDS + 5);
  await age('modified_at', 'runs', STUCK_AFTER_SECONDS - 5);
  // The job of a hanging process is alive, so the sweeper does not replace it.
  await age('enqueued_at', 'hangs', 0);
  expect((await scrape()).stuck).toBe(2);
});

it('does not count a process as stuck that waits in a long queue', async () => {
  await stored.inState('PENDING', { externalAccountNumber: 'waits' });
  await age('enqueued_at', 'waits', 3_600);
  await test.app
    .get(Queues)
    .get('account-imports')
    .add('import-account', {}, { timestamp: Date.now() - 3_600_000 });
  expect((await scrape()).stuck).toBe(0);
});

it('does not fail or wait when the database does not answer, and does not query it twice', async () => {
  await stored.inState('PENDING');
  const client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK import_count IN ACCESS EXCLUSIVE MODE');
    const start = performance.now();
    expect(await scrape()).toEqual({ processes: {}, stuck: 0 });
    await scrape();
    expect(performance.now() - start).toBeLessThan(12 * SCRAPE_TIMEOUT_MS);
    const waiting = `pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%import_count%'
      AND datname = current_database()`;
    expect(await test.countRows(waiting)).toBe(1);
  } finally {
    await client.end();
  }
  expect((await scrape()).processes).toEqual({ 'LEGACY PENDING': 1 });
});

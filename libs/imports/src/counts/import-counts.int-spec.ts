import { setTimeout as sleep } from 'node:timers/promises';
import {
  findCountDifferences,
  StoredProcesses,
  TestSubmission,
  useApplicationPerCase,
  withoutEventProtection,
} from '@portage/testing/application';
import { Client } from 'pg';
import { PendingProcessRepository } from '../processes/pending-process.repository';
import { SteerImportProcesses } from '../processes/steer-import-processes';
import { FoldImportCounts } from './fold-import-counts';
import { ImportCountRepository } from './import-count.repository';

const test = useApplicationPerCase();
const stored = new StoredProcesses(test);

const differences = async () => findCountDifferences(async (text) => stored.sql(text));
const fold = async () => test.app.get(FoldImportCounts).run();

/** The counts of the supplier. */
async function counted(): Promise<Record<string, number>> {
  const rows = await stored.sql<{ kind: string; count: number }>(
    `SELECT kind, sum(count)::float8 AS count FROM (
       SELECT kind, count FROM import_count WHERE submission_id = 0
       UNION ALL SELECT kind, count FROM import_count_change
     ) AS counted GROUP BY kind HAVING sum(count) <> 0`,
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

it('counts each transition in its own transaction, without a job', async () => {
  for (const status of [
    'PENDING',
    'PROCESSED',
    'ERRORED',
    'CANCELLED',
    'DRY_RUN_SUCCEEDED',
    'DRY_RUN_ERRORED',
  ] as const)
    await stored.inState(status);
  await stored.inState('PENDING', { staging: 'WAITING' });
  expect(await counted()).toEqual({
    PENDING: 1,
    STAGED: 1,
    PROCESSED: 1,
    ERRORED: 1,
    CANCELLED: 1,
    DRY_RUN_SUCCEEDED: 1,
    DRY_RUN_ERRORED: 1,
  });
  expect(await differences()).toEqual([]);
  await test.app.get(SteerImportProcesses).steer('retry', { supplier: 'LEGACY' });
  await test.app.get(SteerImportProcesses).steer('release', { supplier: 'LEGACY' });
  expect(await counted()).toMatchObject({ PENDING: 3, PROCESSED: 1 });
  expect(await differences()).toEqual([]);
});

it('counts lines as they are refused, moved and taken over, and processes that change their submission', async () => {
  const first = await TestSubmission.open(test, 'R-1');
  const second = await TestSubmission.open(test, 'R-2');
  const process = await first.account('A-1', {}, { customers: 2, opening_balance: '1.50' });
  await first.ended('A-2', 'ERRORED', { debts: 1 });
  await first.refused('A-3', [], { transactions: 3 });
  expect(await differences()).toEqual([]);
  await stored.sql('UPDATE import_process SET submission_id = $1 WHERE id = $2', [second.id, process]);
  await stored.sql(
    `UPDATE submission_line SET process_id = NULL, outcome = 'cancelled', refused_key = '', errors = '[]' WHERE process_id = $1`,
    [process],
  );
  expect(await differences()).toEqual([]);
  await stored.sql(`DELETE FROM submission_line WHERE outcome = 'refused'`);
  expect(await differences()).toEqual([]);
  await fold();
  expect(await differences()).toEqual([]);
  expect(await counted()).toMatchObject({ LINE: 1, LINE_TAKEN_OVER: 1 });
});

it('reports nothing for statements that change no count, and forgets what was rolled back', async () => {
  await stored.inState('PENDING');
  const changes = async () => test.countRows('import_count_change');
  const before = await changes();
  await stored.sql('UPDATE import_process SET enqueued_at = now()');
  const client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  await client.query(`BEGIN; UPDATE import_process SET status = 'CANCELLED'; ROLLBACK`);
  await client.end();
  expect(await changes()).toBe(before);
  expect(await differences()).toEqual([]);
});

it('counts the end of follow-ups, and processes that are deleted', async () => {
  const { processId } = await stored.inState('PROCESSED');
  await stored.sql(
    `INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
     SELECT id, version, attempt, 'POST_IMPORT_COMPLETED', supplier_id, event_transaction_id() FROM import_process
     WHERE id = $1`,
    [processId],
  );
  expect(await counted()).toEqual({ PROCESSED: 1, FOLLOWED_UP: 1 });
  const other = await stored.inState('PENDING');
  await stored.sql(
    withoutEventProtection(`DELETE FROM import_process_event WHERE process_id = ${other.processId}`),
  );
  await stored.sql('DELETE FROM import_process_payload WHERE process_id = $1', [other.processId]);
  await stored.sql('DELETE FROM import_process WHERE id = $1', [other.processId]);
  expect(await differences()).toEqual([]);
});

it('is exact at every moment while accounts move and several programs fold', async () => {
  const repository = test.app.get(PendingProcessRepository);
  let looks = 0;
  let written = 0;
  const writers = [1, 2, 3].map(async (writer) => {
    // On a busy machine the first looks take longer than twenty batches.
    for (let batch = 0; batch < 20 || (looks < 5 && batch < 1_000); batch += 1) {
      await repository.write([1, 2, 3].map((one) => stored.scheduled(`W-${writer}-${batch}-${one}`)));
      written += 3;
    }
    await stored.sql(
      `UPDATE import_process SET status = 'CANCELLED' WHERE external_account_number LIKE 'W-${writer}-%'`,
    );
  });
  let isDone = false;
  const all = Promise.all(writers).then(() => {
    isDone = true;
  });
  const counts = test.app.get(ImportCountRepository);
  const folders = [1, 2, 3].map(async () => {
    while (!isDone) {
      await counts.fold(5);
      await sleep(1);
    }
  });
  while (!isDone) {
    expect(await differences()).toEqual([]);
    looks += 1;
  }
  await Promise.all([all, ...folders]);
  expect(looks).toBeGreaterThan(3);
  await fold();
  expect(await stored.sql('SELECT FROM import_count_change')).toEqual([]);
  expect(await differences()).toEqual([]);
  expect(await counted()).toEqual({ CANCELLED: written });
});

it('has what happened by minute, once, with the time for which accounts have waited', async () => {
  for (let count = 0; count < 3; count += 1) await stored.inState('PROCESSED');
  await stored.inState('ERRORED');
  await stored.sql(`UPDATE import_count_change SET waited_ms = 250 WHERE waited_ms IS NOT NULL`);
  await Promise.all([fold(), fold(), fold()]);
  const [minutes] = await stored.sql(
    `SELECT sum(accepted)::int AS accepted, sum(processed)::int AS processed, sum(errored)::int AS errored,
       sum(latency_ms) AS latency, sum(latency_count)::int AS count FROM import_throughput_minute`,
  );
  expect(minutes).toEqual({ accepted: 4, processed: 3, errored: 1, latency: 750, count: 3 });
  const [seconds] = await stored.sql(
    'SELECT sum(processed)::int AS processed, sum(ended)::int AS ended FROM import_throughput_second',
  );
  expect(seconds).toEqual({ processed: 3, ended: 4 });
});

import { FinishSubmissions } from '@portage/events';
import { Metrics, QUEUE_NAMES } from '@portage/platform';
import { StoredProcesses, TestSubmission, useApplication } from '@portage/testing/application';
import { AttentionMetrics } from './attention-metrics';
import { ObserveAttention } from './observe-attention';
import { ReportWorker } from '../console/report-worker';

const DAY = 86_400;

const test = useApplication();
const stored = new StoredProcesses(test);

type Gauge = 'releaseWaiting' | 'unsettledDocuments' | 'submissionsNotReconciled' | 'queueWorkers';

/** The values of a metric at a scrape, by the labels. */
async function scrape(gauge: Gauge): Promise<Record<string, number>> {
  await test.app.get(ObserveAttention).observe();
  const metric =
    gauge === 'queueWorkers' ? test.app.get(Metrics).queueWorkers : test.app.get(AttentionMetrics)[gauge];
  const { values } = await metric.get();
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

it('has how long the oldest account has waited for its release, without rehearsals', async () => {
  const { id } = test.supplier;
  const days = async (): Promise<number> => (await scrape('releaseWaiting'))['LEGACY']! / DAY;
  expect(await days()).toBe(0);
  await stored.inState('DRY_RUN_SUCCEEDED');
  await stored.sql(
    `UPDATE import_process SET modified_at = now() - interval '5 days' WHERE supplier_id = $1`,
    [id],
  );
  expect(await days()).toBe(0);
  await stored.sql('UPDATE import_process SET is_dry_run = false WHERE supplier_id = $1', [id]);
  expect(await days()).toBeCloseTo(5, 2);
});

it('counts documents that are missing or refused for good', async () => {
  const { number } = await stored.inState('PROCESSED');
  await stored.sql(
    `INSERT INTO document (account_id, path, kind, state, error_code, unsettled_supplier_id)
     SELECT id, i || '.pdf', 'note', CASE WHEN i = 1 THEN 'REFUSED' WHEN i = 2 THEN 'PENDING' ELSE 'MISSING' END,
       CASE WHEN i <> 2 THEN 'a_code' END, CASE WHEN i <> 2 THEN supplier_id END
     FROM account, generate_series(1, 5) i WHERE external_account_number = $1`,
    [number],
  );
  expect(await scrape('unsettledDocuments')).toEqual({ 'LEGACY MISSING': 3, 'LEGACY REFUSED': 1 });
});

it('counts submissions that have ended and do not agree, until a later end agrees', async () => {
  const submission = await TestSubmission.open(test, 'book', { accounts: 2 });
  await submission.account('S-1');
  expect(await scrape('submissionsNotReconciled')).toEqual({ LEGACY: 0 });
  await submission.complete();
  await test.app.get(FinishSubmissions).run();
  expect(await scrape('submissionsNotReconciled')).toEqual({ LEGACY: 1 });
  await submission.sql(`UPDATE submission SET finished_at = NULL, expected = '{"accounts": 1}'`);
  expect(await scrape('submissionsNotReconciled')).toEqual({ LEGACY: 0 });
  await test.app.get(FinishSubmissions).run();
  expect(await scrape('submissionsNotReconciled')).toEqual({ LEGACY: 0 });
});

it('counts the workers that take jobs of each queue', async () => {
  const report = async (isConsuming: boolean) =>
    test.app.get(ReportWorker).report(
      '1.0.0',
      QUEUE_NAMES.map((queue) => ({
        queue,
        active: 0,
        is_consuming: isConsuming || queue === 'emails',
      })),
    );
  const none = Object.fromEntries(QUEUE_NAMES.map((queue) => [queue, 0]));
  expect(await scrape('queueWorkers')).toEqual(none);
  await report(true);
  expect(await scrape('queueWorkers')).toEqual(Object.fromEntries(QUEUE_NAMES.map((queue) => [queue, 1])));
  await report(false);
  expect(await scrape('queueWorkers')).toEqual({ ...none, emails: 1 });
  await stored.sql(`UPDATE worker_heartbeat SET seen_at = seen_at - interval '46 seconds'`);
  expect(await scrape('queueWorkers')).toEqual(none);
});

import { testedBackends } from '@portage/testing';
import { useApplicationPerCase } from '@portage/testing/application';
import { COMPLETED_JOBS, type QueueName } from './job-contract';
import { type AnyJob, importAccountJob, inspectDocumentJob } from './jobs';
import { JobProducer } from './job-producer';
import { ConfiguredWorker } from './queue-adapter';
import { Queues } from './queues';
import { withTimeout } from '../values/with-timeout';

const HOUR_MS = 3_600_000;

describe.each(testedBackends())('completed jobs, with the queue in %s', (backend) => {
  const test = useApplicationPerCase(backend);
  let producer: JobProducer;
  let queues: Queues;

  beforeEach(() => {
    producer = test.app.get(JobProducer);
    queues = test.app.get(Queues);
  });

  const label = { organisationId: 1, supplier: 'LEGACY', externalAccountNumber: 'N-1' };
  const imported = (version: number) => importAccountJob({ processId: '1', version, ...label });
  const countCompleted = async (queue: QueueName) => queues.get(queue).getCompletedCount();

  const countDeadlocks = async () =>
    test.sql('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');

  /** Runs jobs until `count` have ended. Returns their ids. */
  async function work(queue: QueueName, count: number): Promise<string[]> {
    const ids: string[] = [];
    const worker = new ConfiguredWorker(queue, async () => Promise.resolve(), {
      connection: queues.get(queue).opts.connection,
      concurrency: 50,
    });
    const ended = new Promise<void>((resolve) => {
      worker.on('completed', ({ id }) => {
        ids.push(id!);
        if (ids.length === count) resolve();
      });
    });
    void worker.run();
    await withTimeout(60_000, ended);
    await worker.close();
    return ids;
  }

  it('are retained, and a job for the next version of the process is not taken for one of them', async () => {
    await producer.add('account-imports', [imported(1)]);
    expect(await work('account-imports', 1)).toEqual(['process-1-1']);
    expect(await queues.get('account-imports').getJobState('process-1-1')).toBe('completed');
    // A retry, a release, or another payload: each is another version.
    await producer.add('account-imports', [imported(2)]);
    expect(await work('account-imports', 1)).toEqual(['process-1-2']);
    expect(await countCompleted('account-imports')).toBe(2);
  });

  it.each<[string, QueueName, () => AnyJob]>([
    ['swept process', 'account-imports', () => imported(1)],
    ['document', 'documents', () => inspectDocumentJob({ documentId: '7', ...label })],
  ])('do not hide the job of a %s that is added again under the same id', async (_what, queue, job) => {
    await producer.add(queue, [job()]);
    const [id] = await work(queue, 1);
    expect((await producer.findUnfinished(queue, [id!])).size).toBe(0);
    expect(await producer.addMissing(queue, [job()])).toBe(1);
    // A job of an organisation has a priority, unless the round of the queue could not be read in time.
    expect(['prioritized', 'waiting']).toContain(await queues.get(queue).getJobState(id!));
    expect(await work(queue, 1)).toEqual([id]);
  });

  it('are the last 1,000 of a queue, and removing them causes no deadlock', async () => {
    const more = COMPLETED_JOBS.count + 100;
    const jobs = Array.from({ length: more }, (_, n) =>
      importAccountJob({ processId: `${n}`, version: 1, ...label }),
    );
    const deadlocks = await countDeadlocks();
    await producer.add('account-imports', jobs);
    await Promise.all([work('account-imports', more), queues.removeCompleted(new Date())]);
    await queues.removeCompleted(new Date());
    expect(await countCompleted('account-imports')).toBeLessThanOrEqual(COMPLETED_JOBS.count);
    expect(await queues.completedPerSecond('account-imports')).toBeGreaterThan(0);
    expect(await countCompleted('account-imports')).toBeGreaterThanOrEqual(COMPLETED_JOBS.count - 50);
    expect(await countDeadlocks()).toEqual(deadlocks);
  });

  it('have all ended within the last hour', async () => {
    await producer.add('account-imports', [imported(1)]);
    await work('account-imports', 1);
    if (backend === 'postgres') {
      expect(await queues.removeCompleted(new Date(Date.now() + HOUR_MS - 60_000))).toBe(0);
      expect(await queues.removeCompleted(new Date(Date.now() + HOUR_MS + 1_000))).toBe(1);
      expect(await countCompleted('account-imports')).toBe(0);
    } else {
      const { defaultJobOptions } = queues.get('account-imports').opts;
      expect(defaultJobOptions?.removeOnComplete).toEqual({ count: 1_000, age: 3_600 });
    }
  });

  it('are the rate of the queue for ten seconds, and zero afterwards', async () => {
    expect(await queues.completedPerSecond('documents')).toBe(0);
    await producer.add('documents', [inspectDocumentJob({ documentId: '7', ...label })]);
    await work('documents', 1);
    expect(await queues.completedPerSecond('documents')).toBe(0.1);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11_000);
    expect(await queues.completedPerSecond('documents')).toBe(0);
    now.mockRestore();
  });

  it('are counted by minute where the backend does so without a statement for each job', async () => {
    await producer.add('account-imports', [imported(1)]);
    await work('account-imports', 1);
    const { count } = (await queues.get('account-imports').getMetrics('completed')).meta;
    expect(count).toBe(backend === 'redis' ? 1 : 0);
  });
});

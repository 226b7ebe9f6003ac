import { RedisServers, testedBackends, until } from '@portage/testing';
import { startApplication, type TestApplication, useApplication } from '@portage/testing/application';
import { Logger } from '../observability/logger';
import { Metrics } from '../observability/metrics';
import { noTracing } from '../observability/tracing';
import { importAccountJob } from './jobs';
import { JobProducer } from './job-producer';
import { ConfiguredWorker } from './queue-adapter';
import { Queues } from './queues';
import { withTimeout } from '../values/with-timeout';

const job = (processId: string) =>
  importAccountJob({
    organisationId: 1,
    processId,
    version: 1,
    supplier: 'LEGACY',
    externalAccountNumber: `N-${processId}`,
  });

describe.each(testedBackends())('adding jobs, with the queue in %s', (backend) => {
  const test = useApplication(backend);
  let producer: JobProducer;
  let queues: Queues;

  beforeAll(async () => {
    // Longer than a busy machine may take.
    producer = newProducer(test, 20_000);
    queues = test.app.get(Queues);
  });

  const counts = async () => queues.get('account-imports').getJobCounts('waiting', 'delayed', 'failed');

  it('a job that is added many times concurrently is one job, and its payload is ids only', async () => {
    const added = await Promise.all(
      Array.from({ length: 20 }, async () => producer.add('account-imports', [job('1')])),
    );
    expect(added).toEqual(Array.from({ length: 20 }, () => true));
    expect(await counts()).toEqual({ waiting: 1, delayed: 0, failed: 0 });
    const [stored] = await queues.get('account-imports').getJobs(['waiting']);
    expect(stored).toMatchObject({
      id: 'process-1-1',
      name: 'import-account',
      data: { processId: '1', version: 1, supplier: 'LEGACY', externalAccountNumber: 'N-1' },
    });
  });

  it('a single job does not wait for a call that adds a thousand', async () => {
    const added: string[] = [];
    const jobs = Array.from({ length: 1_000 }, (_, number) => job(`many-${number}`));
    await Promise.all([
      producer.add('account-imports', jobs).then(() => added.push('thousand')),
      producer.add('account-imports', [job('single')]).then(() => added.push('single')),
    ]);
    expect(added).toEqual(['single', 'thousand']);
    const queue = queues.get('account-imports');
    expect(await queue.getJob(job('many-999').id)).toBeDefined();
    await Promise.all([...jobs, job('single')].map(async ({ id }) => queue.remove(id)));
  });

  if (backend === 'postgres')
    it('a single job costs no temporary table', async () => {
      await test.sql(`
        CREATE FUNCTION refuse_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'A table.'; END $$;
        CREATE EVENT TRIGGER no_tables ON ddl_command_start EXECUTE FUNCTION refuse_tables()`);
      try {
        expect(await producer.add('account-imports', [job('alone')])).toBe(true);
      } finally {
        await test.sql('DROP EVENT TRIGGER no_tables; DROP FUNCTION refuse_tables()');
      }
      await queues.get('account-imports').remove(job('alone').id);
    });

  it('addMissing adds missing and failed jobs, and does not change waiting and delayed ones', async () => {
    const queue = queues.get('account-imports');
    const { id: jobId, name, payload } = job('2');
    await queue.add(name, payload, { jobId, delay: 60_000 });
    await producer.add('account-imports', [job('3')]);
    const worker = new ConfiguredWorker(
      'account-imports',
      async ({ id }) => {
        if (id === 'process-3-1') throw Object.assign(new Error('poison'), { name: 'UnrecoverableError' });
        return Promise.reject(new Error('not this one'));
      },
      { connection: queue.opts.connection, concurrency: 1 },
    );
    const failed = new Promise<void>((resolve) => {
      worker.on('failed', (ended) => {
        if (ended?.id === 'process-3-1') resolve();
      });
    });
    void worker.run();
    await withTimeout(20_000, failed);
    await worker.close();
    expect(await queue.getJobState('process-3-1')).toBe('failed');

    // 1 waits for a retry, 2 is delayed, 3 has failed, 4 was never added.
    const jobs = ['1', '2', '3', '4'].map((processId) => job(processId));
    expect(await producer.addMissing('account-imports', jobs)).toBe(2);
    // Prioritized if the queue was read less than a second ago (FairShares).
    expect(['waiting', 'prioritized']).toContain(await queue.getJobState('process-3-1'));
    expect(['waiting', 'prioritized']).toContain(await queue.getJobState('process-4-1'));
    expect(await producer.addMissing('account-imports', jobs)).toBe(0);
  });
});

/** A producer with another timeout than the default. */
function newProducer({ app }: TestApplication, enqueueTimeoutMs: number): JobProducer {
  return new JobProducer(app.get(Queues), app.get(Logger), app.get(Metrics), noTracing, enqueueTimeoutMs);
}

// Without Redis, the run says that queues in it are not tested.
if (testedBackends().includes('redis'))
  it('adding jobs gives up in time while Redis is away, does not throw, and works again when it is back', async () => {
    const redis = (await RedisServers.start())!;
    const test = await startApplication('postgres', { REDIS_URL: redis.url });
    const producer = newProducer(test, 300);
    try {
      expect(await producer.add('account-imports', [job('1')])).toBe(true);
      await redis.killPrimary();
      const start = performance.now();
      const added = await Promise.all(
        Array.from({ length: 50 }, async () => producer.add('account-imports', [job('2')])),
      );
      expect(added).not.toContain(true);
      expect(performance.now() - start).toBeLessThan(5_000);
      await redis.restart();
      await until(async () => producer.add('account-imports', [job('3')]), 'Jobs are still refused.');
    } finally {
      await test.app.close();
      redis.stop();
    }
  });

import { testedBackends, until } from '@portage/testing';
import { useApplicationPerCase } from '@portage/testing/application';
import { Logger } from '../observability/logger';
import { Metrics } from '../observability/metrics';
import { noTracing } from '../observability/tracing';
import { MAX_BATCH_ACCOUNTS } from './job-contract';
import { accountRequestJob, importAccountJob, importAccountsJob, inspectDocumentJob } from './jobs';
import { JobProducer } from './job-producer';
import { ConfiguredWorker } from './queue-adapter';
import { QueueDepth } from './queue-depth';
import { Queues } from './queues';

const [FLOODING, SMALL] = [1, 2];

const accountJob = (organisationId: number, number: number) =>
  importAccountJob({
    processId: `${organisationId}-${number}`,
    version: 1,
    organisationId,
    supplier: `S-${organisationId}`,
    externalAccountNumber: `N-${number}`,
  });
const uploadedJob = (organisationId: number, number: number) =>
  importAccountsJob({
    organisationId,
    supplier: `S-${organisationId}`,
    submissionId: '1',
    batchId: `${number}`,
    processes: range(MAX_BATCH_ACCOUNTS).map((place) => ({
      processId: `${number}-${place}`,
      version: 1,
      externalAccountNumber: `N-${number}-${place}`,
    })),
  });
const documentJob = (organisationId: number, number: number) =>
  inspectDocumentJob({
    documentId: `${organisationId}-${number}`,
    organisationId,
    supplier: `S-${organisationId}`,
    externalAccountNumber: `N-${number}`,
  });
const instructionJobs = (organisationId: number, numbers: readonly number[]) =>
  numbers.flatMap(
    (number) =>
      accountRequestJob('payment-instruction', {
        requestId: `${organisationId}-${number}`,
        organisationId,
        supplier: `S-${organisationId}`,
        externalAccountNumber: `N-${number}`,
      })[1],
  );
const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

describe.each(testedBackends())('fair shares, with the queue in %s', (backend) => {
  const test = useApplicationPerCase(backend);
  let producer: JobProducer;
  let queues: Queues;

  beforeEach(() => {
    producer = test.app.get(JobProducer);
    queues = test.app.get(Queues);
  });

  /** Takes all jobs of a queue one by one. Returns their organisations in the order in which they were taken. */
  async function takeAll(
    queue: 'account-imports' | 'documents',
    count: number,
    fail = false,
  ): Promise<number[]> {
    const taken: number[] = [];
    const worker = new ConfiguredWorker(
      queue,
      async (job) => {
        taken.push((job.data as { organisationId: number }).organisationId);
        // Takes no further job, however late this test notices.
        if (taken.length >= count) await worker.pause(true);
        if (fail) throw new Error('path_does_not_exist_in_file_store');
      },
      { connection: queues.get(queue).opts.connection, concurrency: 1 },
    );
    void worker.run();
    await until(
      () => taken.length >= count,
      () => `${taken.length} of ${count} jobs were taken`,
    );
    await worker.close();
    return taken;
  }

  it('a single job of one supplier passes the backlog of another', async () => {
    await producer.add(
      'account-imports',
      range(200).map((number) => accountJob(FLOODING, number)),
    );
    await producer.add('account-imports', [accountJob(SMALL, 0)]);
    const taken = await takeAll('account-imports', 201);
    expect(taken.indexOf(SMALL)).toBeLessThan(40);
    expect(taken.filter((organisationId) => organisationId === FLOODING)).toHaveLength(200);
  });

  it('a single job of a supplier passes the book that it uploads, and so does one of another supplier', async () => {
    await producer.add(
      'account-imports',
      range(200).map((number) => uploadedJob(FLOODING, number)),
    );
    await takeAll('account-imports', 100);
    await producer.add('account-imports', [accountJob(SMALL, 0), accountJob(FLOODING, 0)]);
    const queue = queues.get('account-imports');
    const [lowest] = (await queue.getJobs(['prioritized', 'waiting']))
      .filter(({ name }) => name === 'import-accounts')
      .map(({ priority }) => priority)
      .toSorted((left, right) => left - right);
    for (const organisationId of [FLOODING, SMALL])
      expect((await queue.getJob(accountJob(organisationId, 0).id))?.priority).toBeLessThan(lowest!);
  });

  it('a single job of a queue with a rate passes what another process has added since the last one', async () => {
    const { app } = test;
    const other = new JobProducer(queues, app.get(Logger), app.get(Metrics), noTracing);
    const queue = queues.get('payment-instructions');
    for (const number of range(20)) {
      const [job] = instructionJobs(SMALL, [number]);
      await producer.add('payment-instructions', [job!]);
      await queue.remove(job!.id);
    }
    await other.add('payment-instructions', instructionJobs(FLOODING, range(50)));
    const [last] = instructionJobs(SMALL, [20]);
    await producer.add('payment-instructions', [last!]);
    const priorities = (await queue.getJobs(['prioritized', 'waiting'])).map(({ priority }) => priority);
    const { priority: lastPriority } = (await queue.getJob(last!.id))!;
    expect(priorities.filter((priority) => priority < lastPriority).length).toBeLessThan(3);
  });

  it('jobs that the sweeper enqueues again are shared fairly as well', async () => {
    const stale = [...range(150).map((number) => accountJob(FLOODING, number)), accountJob(SMALL, 0)];
    expect(await producer.addMissing('account-imports', stale)).toBe(151);
    expect(await producer.addMissing('account-imports', stale)).toBe(0);
    expect((await takeAll('account-imports', 151)).indexOf(SMALL)).toBeLessThan(40);
  });

  it('a document of one supplier passes the retries of another', async () => {
    await producer.add(
      'documents',
      range(20).map((number) => documentJob(FLOODING, number)),
    );
    expect(await takeAll('documents', 20, true)).toHaveLength(20);
    const retries = await queues.get('documents').getJobs(['delayed']);
    expect(retries).toHaveLength(20);
    for (const retry of retries) await retry.promote();
    await producer.add('documents', [documentJob(SMALL, 0)]);
    expect((await takeAll('documents', 21)).indexOf(SMALL)).toBeLessThan(8);
  });

  it('waiting jobs are counted and their age is known whatever their priority', async () => {
    await producer.add(
      'account-imports',
      range(100).map((number) => accountJob(FLOODING, number)),
    );
    expect(await producer.depth('account-imports')).toBe(100);
    expect(await queues.countWaiting('account-imports')).toBe(100);
    const oldest = await queues.nextWaiting('account-imports');
    expect(oldest?.id).toBe(accountJob(FLOODING, 0).id);
    await takeAll('account-imports', 60);
    expect(await test.app.get(QueueDepth).waitingSince('account-imports')).toBeGreaterThan(
      Date.now() - 60_000,
    );
  });
});

import { join } from 'node:path';
import {
  applicationUrl,
  newDatabase,
  newDirectory,
  newRedisDatabase,
  testedBackends,
  until,
} from '@portage/testing';
import { EmbeddedPostgres } from '@portage/local-environment';
import { FaultProxy } from '@portage/testing/installation';
import { type Config, loadConfig } from '../config/config';
import { Logger } from '../observability/logger';
import { QUEUE_NAMES } from './job-contract';
import { migrateQueueSchema } from './migrate-queue-schema';
import { ConfiguredQueue, ConfiguredWorker, QueueConnection } from './queue-adapter';

it('a worker returns its jobs and consumes others seconds after PostgreSQL is restarted during jobs', async () => {
  const directory = newDirectory();
  const postgres = await EmbeddedPostgres.start({
    dataDirectory: join(directory, 'postgres'),
    password: 'test',
  });
  const config = loadConfig('worker', {
    DATABASE_URL: postgres.url(),
    PORTAGE_DIR: directory,
    LOG_LEVEL: 'silent',
  });
  await migrateQueueSchema(config.DATABASE_URL);
  const backend = new QueueConnection(config, new Logger(config));
  const { connection } = backend;
  const done: string[] = [];
  let endJob: () => void = () => undefined;
  const jobEnds = new Promise<void>((resolve) => {
    endJob = resolve;
  });
  const worker = new ConfiguredWorker(
    'account-imports',
    async ({ id = '', attemptsMade }) => {
      done.push(id);
      if (id.startsWith('interrupted') && attemptsMade === 0) await jobEnds;
      if (id === 'interrupted-failing' && attemptsMade === 0) throw new Error('The database is away.');
    },
    { connection, concurrency: 3 },
  );
  try {
    const queue = new ConfiguredQueue('account-imports', { connection });
    void worker.run();
    const interrupted = ['interrupted-failing', 'interrupted-successful'];
    for (const jobId of interrupted) await queue.add('import-account', {}, { jobId });
    await until(() => done.length === interrupted.length, 'the jobs were not taken');

    await postgres.stop('immediate');
    endJob();
    await postgres.restart();
    await queue.add('import-account', {}, { jobId: 'next' });
    // Less than the time after which jobs count as those of a dead worker.
    await until(
      async () => (await queue.getCompletedCount()) === 3,
      () => `the jobs were not returned: ${done.join()}`,
    );
    expect(done.toSorted()).toEqual([
      'interrupted-failing',
      'interrupted-failing',
      'interrupted-successful',
      'next',
    ]);
  } finally {
    await worker.close(true);
    await backend.onApplicationShutdown();
    await postgres.stop('immediate');
  }
});

it('the role of the application, which owns no table, may add, process, retry, promote, pause and remove jobs', async () => {
  const config = loadConfig('worker', {
    DATABASE_URL: applicationUrl(await newDatabase()),
    LOG_LEVEL: 'silent',
  });
  const source = new QueueConnection(config, new Logger(config));
  const { connection } = source;
  for (const name of QUEUE_NAMES)
    await new ConfiguredQueue(name, { connection }).add('first', {}, { delay: 60_000 });
  const queue = new ConfiguredQueue('emails', { connection });
  const done: string[] = [];
  let isFaulty = true;
  const worker = new ConfiguredWorker(
    'emails',
    async ({ id = '' }) => {
      if (id === 'failing' && isFaulty)
        throw Object.assign(new Error('poison'), { name: 'UnrecoverableError' });
      await Promise.resolve(done.push(id));
    },
    { connection },
  );
  const waitFor = async (id: string) =>
    until(
      () => done.includes(id),
      () => `${id} was not processed: ${done.join()}`,
    );
  await queue.pause();
  await queue.resume();
  await queue.addBulk([
    { name: 'send-welcome-email', data: {}, opts: { jobId: 'first' } },
    { name: 'send-welcome-email', data: {}, opts: { jobId: 'prior', priority: 1 } },
    { name: 'send-welcome-email', data: {}, opts: { jobId: 'delayed', delay: 60_000 } },
    { name: 'send-welcome-email', data: {}, opts: { jobId: 'removed', delay: 60_000 } },
  ]);
  await queue.upsertJobScheduler('hourly', { every: 3_600_000 });
  void worker.run();
  await waitFor('first');
  await waitFor('prior');
  await (await queue.getJob('delayed'))!.promote();
  await waitFor('delayed');
  await queue.add('send-welcome-email', {}, { jobId: 'failing' });
  await until(async () => (await queue.getFailedCount()) === 1, 'the job did not fail');
  isFaulty = false;
  await (await queue.getJob('failing'))!.retry('failed');
  await waitFor('failing');
  await queue.remove('removed');
  expect(await queue.getJobCounts('waiting', 'failed')).toEqual({ waiting: 0, failed: 0 });
  expect(await queue.removeJobScheduler('hourly')).toBe(true);
  await worker.close(true);
  await source.onApplicationShutdown();
});

it('queues and workers that were built while PostgreSQL refused connections work once it takes them', async () => {
  const databaseUrl = await newDatabase();
  const proxy = await FaultProxy.start(databaseUrl);
  const config = loadConfig('worker', { DATABASE_URL: proxy.through(databaseUrl), LOG_LEVEL: 'silent' });
  proxy.refuse();
  const source = new QueueConnection(config, new Logger(config));
  const { connection } = source;
  const queue = new ConfiguredQueue('emails', { connection });
  const done: (string | undefined)[] = [];
  const worker = new ConfiguredWorker('emails', async ({ id }) => Promise.resolve(void done.push(id)), {
    connection,
  });
  void worker.run();
  await expect(queue.add('send-welcome-email', {})).rejects.toThrow();
  await expect(worker.waitUntilReady()).rejects.toThrow();
  proxy.heal();
  await queue.add('send-welcome-email', {}, { jobId: 'healed' });
  await until(
    async () => (await queue.getCompletedCount()) === 1,
    () => `the job was not completed: ${done.join()}`,
  );
  expect(done).toEqual(['healed']);
  await worker.close(true);
  await source.onApplicationShutdown();
  await proxy.stop();
});

it('a program opens one connection to PostgreSQL when it builds its queues', async () => {
  const config = loadConfig('cli', { DATABASE_URL: await newDatabase(), LOG_LEVEL: 'silent' });
  const source = new QueueConnection(config, new Logger(config));
  const { connection } = source;
  await Promise.all(
    QUEUE_NAMES.map(async (name) => new ConfiguredQueue(name, { connection }).waitUntilReady()),
  );
  expect(source.pool!.totalCount).toBe(1);
  await source.onApplicationShutdown();
});

describe.each(testedBackends())('queues and workers on %s', (backend) => {
  let config: Config;
  let source: QueueConnection;

  beforeEach(async () => {
    const databaseUrl = await newDatabase();
    const redisUrl = await newRedisDatabase(backend);
    await migrateQueueSchema(databaseUrl);
    config = loadConfig('worker', {
      DATABASE_URL: databaseUrl,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      LOG_LEVEL: 'silent',
      DRAIN_TIMEOUT_MS: '1000',
    });
    source = new QueueConnection(config, new Logger(config));
  });
  afterEach(async () => {
    await source.onApplicationShutdown();
  });

  it('close within the drain timeout although a job hangs', async () => {
    const { connection } = source;
    const queue = new ConfiguredQueue('emails', { connection });
    let started = false;
    const worker = new ConfiguredWorker(
      'emails',
      async () => {
        started = true;
        await new Promise(() => undefined);
      },
      { connection },
    );
    void worker.run();
    await queue.add('send-welcome-email', {});
    await until(() => started, 'no job was taken');
    const start = performance.now();
    await worker.close();
    const drainedMs = performance.now() - start;
    expect(drainedMs).toBeGreaterThanOrEqual(990);
    expect(drainedMs).toBeLessThan(15_000);
    await source.onApplicationShutdown();
    // A forced close, and the end of the pool.
    expect(performance.now() - start).toBeLessThan(20_000);
    await expect(worker.close()).resolves.toBeUndefined();
  });

  it('refuse a queue that is not in the job contract, and a connection of another owner', () => {
    const { connection } = source;
    expect(() => new ConfiguredQueue('unknown', { connection })).toThrow(RangeError);
    expect(() => new ConfiguredQueue('emails', { connection: {} })).toThrow(RangeError);
  });
});

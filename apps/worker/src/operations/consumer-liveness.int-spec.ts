import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '@portage/config';
import { migrateQueueSchema, QueueBackend, type QueueName } from '@portage/queues';
import type { Worker } from 'bullmq';
import { Client } from 'pg';
import { newDatabase, newRedisDatabase, type TestedBackend, testedBackends, until } from '@portage/testing';
import { WorkerModule } from '../worker.module';
import { ConsumerLiveness } from './consumer-liveness';

const STUCK_MS = 600;
const CONCURRENCY = 2;

interface RunningWorker {
  app: INestApplicationContext;
  databaseUrl: string;
  /** BullMQ's own, by queue. */
  consumers: Map<QueueName, Worker>;
  stuck: () => QueueName[];
}

/** The worker as it is, without its HTTP. */
async function start(backend: TestedBackend): Promise<RunningWorker> {
  const databaseUrl = await newDatabase();
  const redisUrl = await newRedisDatabase(backend);
  await migrateQueueSchema(databaseUrl);
  const config = loadConfig('worker', {
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    PORTAGE_DIR: mkdtempSync(join(tmpdir(), 'portage-int-')),
    LOG_LEVEL: 'silent',
    WORKER_STUCK_MS: String(STUCK_MS),
    WORKER_CONCURRENCY: String(CONCURRENCY),
    IMPORT_CONCURRENCY: String(CONCURRENCY),
    SWEEP_INTERVAL_MS: '3600000',
    // Longer than the run: a worker that takes longer to stop ends its process, which is the tests' own here.
    DRAIN_TIMEOUT_MS: '600000',
  });
  const consumers = new Map<QueueName, Worker>();
  const create = QueueBackend.prototype.worker;
  const spy = jest.spyOn(QueueBackend.prototype, 'worker').mockImplementation(function (
    this: QueueBackend,
    ...args
  ) {
    const worker = create.apply(this, args);
    consumers.set(args[0], worker);
    return worker;
  });
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), { logger: false });
  spy.mockRestore();
  return { app, databaseUrl, consumers, stuck: () => app.get(ConsumerLiveness).stuck };
}

describe.each(testedBackends())('a worker takes jobs no more (%s)', (backend) => {
  let worker: RunningWorker;

  beforeEach(async () => {
    worker = await start(backend);
  });
  afterEach(async () => {
    await worker.app.close();
  });

  const becomes = async (stuck: QueueName[]) =>
    until(
      () => worker.stuck().join() === stuck.join(),
      STUCK_MS * 10,
      () => `stuck: ${worker.stuck().join()}`,
    );
  const add = async (queue: QueueName, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await worker.app.get(QueueBackend).queue(queue).add('send-welcome-email', { accountId: '1' });
  };
  const stays = async (stuck: QueueName[]): Promise<void> => {
    const end = performance.now() + STUCK_MS * 2;
    while (performance.now() < end) {
      expect(worker.stuck()).toEqual(stuck);
      await new Promise((resolve) => setTimeout(resolve, STUCK_MS / 10));
    }
  };

  it('while it has nothing to do it is well', async () => {
    await stays([]);
  });

  it('when the consumer of a queue was closed', async () => {
    await worker.consumers.get('emails')!.close();
    await becomes(['emails']);
  });

  it('when the loop of a queue has ended', async () => {
    await worker.consumers.get('documents')!.pause(true);
    await becomes(['documents']);
  });

  it('when all jobs that it may have in hand hang, and does again once one has ended', async () => {
    const client = new Client({ connectionString: worker.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK welcome_email IN ACCESS EXCLUSIVE MODE');
      await add('emails', CONCURRENCY - 1);
      await stays([]);
      await add('emails', 1);
      await becomes(['emails']);
      await client.query('ROLLBACK');
      await becomes([]);
    } finally {
      await client.end();
    }
  });

  it('when jobs wait, it could take them, and does not', async () => {
    const emails = worker.consumers.get('emails')!;
    // What a connection that died without a word looks like: the loop waits for an answer for good.
    const inner = (emails as unknown as { backend: { moveToActive: () => Promise<unknown> } }).backend;
    let answers: (() => void)[] = [];
    const ask = inner.moveToActive.bind(inner);
    jest
      .spyOn(inner, 'moveToActive')
      .mockImplementation(async () => new Promise<void>((resolve) => answers.push(resolve)).then(ask));
    await add('emails', 3);
    await becomes(['emails']);
    jest.restoreAllMocks();
    for (const answer of answers) answer();
    answers = [];
    await becomes([]);
  });

  it('but not when an operator has paused the queue', async () => {
    await worker.app.get(QueueBackend).queue('emails').pause();
    await add('emails', 3);
    await stays([]);
  });
});

it('is no complaint about a worker that stops', async () => {
  const { app, stuck } = await start('postgres');
  await app.close();
  expect(stuck()).toEqual([]);
});

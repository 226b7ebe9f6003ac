import {
  announceSkipped,
  findRedisProgram,
  MISSING,
  RedisServers,
  type RedisTopology,
  until,
} from '@portage/testing';
import { loadConfig } from '../config/config';
import { Logger } from '../observability/logger';
import { QUEUE_NAMES } from './job-contract';
import { ConfiguredQueue, ConfiguredWorker, QueueConnection } from './queue-adapter';

const topologies: RedisTopology[] = ['sentinel', 'cluster'];
/** Three seconds until the server is missed, an election, and what a loaded machine adds. */
const TAKEN_AFTER_MS = 30_000;
const CLOSED_AFTER_MS = 5_000;

const hasRedis = findRedisProgram() !== undefined;
if (!hasRedis) announceSkipped('fail-overs of Redis', MISSING.redis);

(hasRedis ? describe : describe.skip).each(topologies)('after a fail-over of Redis with %s', (topology) => {
  let deployment: RedisServers;
  let source: QueueConnection;

  beforeAll(async () => {
    deployment = (await RedisServers.start({ topology }))!;
    const config = loadConfig('worker', {
      DATABASE_URL: 'postgres://127.0.0.1/unused',
      REDIS_URL: deployment.url,
      LOG_LEVEL: 'silent',
    });
    source = new QueueConnection(config, new Logger(config));
  });
  afterAll(async () => {
    await source.onApplicationShutdown();
    deployment.stop();
  });

  it('the worker of every queue takes jobs again, and closes at once', async () => {
    const { connection } = source;
    const done = new Set<string>();
    const workers = QUEUE_NAMES.map(
      (name) =>
        new ConfiguredWorker(
          name,
          async () => {
            await Promise.resolve(done.add(name));
          },
          { connection },
        ),
    );
    for (const worker of workers) void worker.run();
    await Promise.all(workers.map(async (worker) => worker.waitUntilReady()));
    await deployment.killPrimary();
    const queues = QUEUE_NAMES.map((name) => new ConfiguredQueue(name, { connection }));
    await until(
      async () => {
        await Promise.allSettled(queues.map(async (queue) => queue.add('next', {})));
        return done.size === QUEUE_NAMES.length;
      },
      () => `jobs were taken from ${[...done].join()}`,
      TAKEN_AFTER_MS,
    );
    const closing = performance.now();
    await Promise.all(workers.map(async (worker) => worker.close()));
    expect(performance.now() - closing).toBeLessThan(CLOSED_AFTER_MS);
  });
});

import {
  announceSkipped,
  findRedisProgram,
  MISSING,
  newDatabase,
  RedisServers,
  type RedisTopology,
  until,
} from '@portage/testing';
import type { Job } from 'bullmq';
import { type Config, loadConfig } from '../config/config';
import { Logger } from '../observability/logger';
import { ConfiguredQueue, ConfiguredWorker, QueueConnection } from './queue-adapter';

const topologies: RedisTopology[] = ['tls', 'sentinel', 'cluster'];
const hasRedis = findRedisProgram() !== undefined;
if (!hasRedis) announceSkipped('queues on Redis with TLS, Sentinel and Cluster', MISSING.redis);

const configOf = async (url: string): Promise<Config> =>
  loadConfig('worker', { DATABASE_URL: await newDatabase(), REDIS_URL: url, LOG_LEVEL: 'silent' });

/** The reports of a connection, instead of the log. */
class Reports extends Logger {
  readonly warnings: string[] = [];

  override warn(message: unknown): void {
    this.warnings.push(String(message));
  }
}

(hasRedis ? describe : describe.skip).each(topologies)('queues on Redis with %s', (topology) => {
  let deployment: RedisServers;
  let source: QueueConnection;
  let reports: Reports;

  beforeAll(async () => {
    deployment = (await RedisServers.start({ topology, size: 'small' }))!;
    const config = await configOf(deployment.url);
    reports = new Reports(config);
    source = new QueueConnection(config, reports);
  });
  afterAll(async () => {
    await source.onApplicationShutdown();
    deployment.stop();
  });

  it('take and schedule jobs, show and retry failed ones, and pause', async () => {
    const { connection } = source;
    const queue = new ConfiguredQueue('account-imports', { connection });
    const done: string[] = [];
    let isFaulty = true;
    const worker = new ConfiguredWorker(
      'account-imports',
      async ({ id = '' }: Job) => {
        if (id === 'job-failing' && isFaulty)
          throw Object.assign(new Error('x'), { name: 'UnrecoverableError' });
        await Promise.resolve(done.push(id));
      },
      { connection },
    );
    void worker.run();
    await worker.waitUntilReady();
    await queue.addBulk([
      { name: 'import-account', data: {}, opts: { jobId: 'job-first' } },
      { name: 'import-account', data: {}, opts: { jobId: 'job-prior', priority: 5 } },
      { name: 'import-account', data: {}, opts: { jobId: 'job-delayed', delay: 200 } },
      { name: 'import-account', data: {}, opts: { jobId: 'job-failing' } },
    ]);
    await until(
      async () => done.length === 3 && (await queue.getFailedCount()) === 1,
      () => `done: ${done.join()}`,
    );
    isFaulty = false;
    await (await queue.getJob('job-failing'))!.retry('failed');
    await until(() => done.includes('job-failing'), 'the retried job was not taken');
    await queue.upsertJobScheduler('hourly', { every: 3_600_000 });
    expect(await queue.removeJobScheduler('hourly')).toBe(true);
    await queue.pause();
    expect(await queue.isPaused()).toBe(true);
    await worker.close(true);
  });

  it('warn of servers that evict keys', async () => {
    expect(reports.warnings).toEqual([]);
    await source.redis!.config('SET', 'maxmemory-policy', 'allkeys-lru');
    source.redis!.emit('ready');
    await until(() => reports.warnings.length > 0, 'there was no warning');
    expect(reports.warnings[0]).toMatch(/maxmemory-policy is allkeys-lru\. Set it to noeviction/);
  });
});

(hasRedis ? it : it.skip)('a certificate of another authority is refused', async () => {
  const deployment = (await RedisServers.start({ topology: 'tls' }))!;
  // Without sslrootcert the authorities of Node decide.
  const config = await configOf(deployment.url.replace(/\?.*/, ''));
  const source = new QueueConnection(config, new Logger(config));
  try {
    const error = await new Promise<Error>((resolve) => {
      source.redis!.once('error', resolve);
      source.redis!.once('ready', () => {
        resolve(new Error('The connection was accepted.'));
      });
    });
    expect(error.message).toMatch(/certificate/);
  } finally {
    await source.onApplicationShutdown();
    deployment.stop();
  }
});

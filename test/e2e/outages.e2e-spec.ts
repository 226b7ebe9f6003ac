import { setTimeout as sleep } from 'node:timers/promises';
import { account, Installation, RedisServers, signIn, testedBackends } from '@portage/testing';

async function scheduleMany(portage: Installation, name: string, count: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => portage.schedule(account(`${name}-${index}`))),
  );
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
}

/** Expects that every process is imported with exactly one account. */
async function expectEachImportedOnce(portage: Installation, count: number): Promise<void> {
  await portage.waitFor('PROCESSED', count);
  const [counts] = await portage.sql<Record<string, number>>(`
    SELECT (SELECT count(*)::int FROM import_process) AS processes,
      (SELECT count(*)::int FROM account) AS accounts,
      (SELECT count(*)::int FROM customer) AS customers,
      (SELECT count(*)::int FROM import_process_event WHERE event = 'PROCESSED') AS processed`);
  expect(counts).toEqual({ processes: count, accounts: count, customers: count, processed: count });
}

// The set-up has said so if there is no Redis.
(testedBackends().includes('redis') ? describe : describe.skip)('while Redis is down', () => {
  let redis: RedisServers;

  beforeEach(async () => {
    redis = (await RedisServers.start())!;
  });
  afterEach(() => {
    redis.stop();
  });

  it('the API starts and accepts accounts without delay; they are processed once Redis is up again', async () => {
    await redis.killPrimary();
    const portage = await Installation.start({ backend: 'redis', redisUrl: redis.url });
    try {
      const start = performance.now();
      await scheduleMany(portage, 'unqueued', 40);
      expect(performance.now() - start).toBeLessThan(5_000);
      expect((await portage.get('/health/ready')).body).toMatchObject({ status: 'degraded', queue: 'down' });
      const { headers } = await signIn(portage, 'viewer');
      const board = await portage.get('/queues/api/queues', headers);
      expect([board.status, board.body.code]).toEqual([503, 'unavailable']);
      await redis.restart();
      expect(redis.url).toBe(portage.env['REDIS_URL']);
      await expectEachImportedOnce(portage, 40);
    } finally {
      await portage.stop();
    }
  });

  it('API and worker stop within the drain timeout', async () => {
    const portage = await Installation.start({
      backend: 'redis',
      redisUrl: redis.url,
      env: { DRAIN_TIMEOUT_MS: '1000' },
    });
    try {
      await redis.killPrimary();
      await sleep(200);
      const stopped = await Promise.all([portage.api!.stop(12_000), portage.workers[0]!.stop(12_000)]);
      expect(stopped).toEqual([true, true]);
    } finally {
      await portage.stop();
    }
  });
});

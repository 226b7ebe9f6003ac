import { findRedisProgram, SecondApi, type TestedBackend, type TestPortage, until } from '@portage/testing';
import { bookAccount } from '../faults/book-account';
import { FaultEnvironment } from '../faults/fault-environment';
import { PostingClient } from '../faults/posting-client';
import { findViolations } from '../faults/violations';
import { LoadBalancer } from './load-balancer';
import { WorkerTeam } from './worker-team';

const ACCOUNTS = Number(process.env['SCALE_ACCOUNTS'] ?? 2_000);
const WORKER_COUNTS = [1, 2, 4];
/** Maximum deviation of a worker's share from an equal share, as a fraction of it. */
const MAX_SHARE_DEVIATION = 0.35;
const TIMEOUT_MS = 180_000;

const backends: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];
if (backends.length < 2)
  process.stderr.write(
    'SKIPPED: scale-out on Redis, because no redis-server or valkey-server is on the PATH.\n',
  );

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

let serial = 0;
const book = (name: string) =>
  new Map(
    Array.from({ length: ACCOUNTS }, (_, index) => {
      const number = `${name}-${index}`;
      return [number, bookAccount(number, serial++)] as const;
    }),
  );

async function countProcessed(portage: TestPortage, pattern: string): Promise<number> {
  const [row] = await portage.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_process WHERE status = 'PROCESSED' AND external_account_number LIKE $1`,
    [pattern],
  );
  return row!.count;
}

async function waitUntilProcessed(portage: TestPortage, pattern: string): Promise<void> {
  let count = 0;
  await until(
    async () => (count = await countProcessed(portage, pattern)) === ACCOUNTS,
    TIMEOUT_MS,
    () => `${count} of ${ACCOUNTS} processed`,
  );
}

/** Seconds from the first PROCESSED event to the last. */
async function processingSeconds(portage: TestPortage, pattern: string): Promise<number> {
  const [row] = await portage.sql<{ seconds: number }>(
    `SELECT extract(epoch FROM max(occurred_at) FILTER (WHERE event.event = 'PROCESSED')
       - min(occurred_at) FILTER (WHERE event.event = 'PROCESSED'))::float8 AS seconds
     FROM import_process_event event JOIN import_process process ON process.id = event.process_id
     WHERE process.external_account_number LIKE $1`,
    [pattern],
  );
  return row!.seconds;
}

describe.each(backends)('with the queue in %s', (backend) => {
  let environment: FaultEnvironment;
  let portage: TestPortage;
  const table: string[] = [];

  beforeAll(async () => {
    environment = await FaultEnvironment.start(backend, 'default');
    portage = environment.portage;
  }, 120_000);
  afterAll(async () => {
    process.stderr.write(
      [
        `\nQueue in ${backend}`,
        '| accounts | workers | share of each | accounts a second | lost | doubled |',
        '| --- | --- | --- | --- | --- | --- |',
        ...table,
        '',
      ].join('\n'),
    );
    await environment.stop();
  }, 60_000);

  it.each(WORKER_COUNTS)(
    '%i workers share the work evenly, and each account is created once',
    async (workers) => {
      const name = `team-${workers}`;
      const team = await WorkerTeam.start(environment, workers);
      await team.pause();
      const client = new PostingClient(portage, book(name));
      client.allow(ACCOUNTS);
      await client.send();
      expect([client.accepted.size, client.unexpectedAnswers]).toEqual([ACCOUNTS, []]);
      expect(await countProcessed(portage, `${name}-%`)).toBe(0);

      await team.resume();
      await waitUntilProcessed(portage, `${name}-%`);
      // A worker counts a job shortly after its commit.
      await until(
        async () => sum(await team.shares()) >= ACCOUNTS,
        10_000,
        async () => `the workers have counted ${(await team.shares()).join(' + ')} of ${ACCOUNTS}`,
      );
      const shares = await team.shares();
      const rate = ACCOUNTS / (await processingSeconds(portage, `${name}-%`));
      table.push(`| ${ACCOUNTS} | ${workers} | ${shares.join(', ')} | ${rate.toFixed(0)} | 0 | 0 |`);

      expect(await findViolations(portage, `${name}-%`)).toEqual([]);
      // No account was created twice, even in a transaction that was rolled back.
      expect(sum(shares)).toBe(ACCOUNTS);
      const equalShare = ACCOUNTS / workers;
      for (const share of shares)
        expect(Math.abs(share - equalShare) / equalShare).toBeLessThan(MAX_SHARE_DEVIATION);
    },
    TIMEOUT_MS * 2,
  );

  it(
    'replacing every API and worker under load fails no request, and loses or doubles no account',
    async () => {
      await environment.restore(2);
      const first = { baseUrl: portage.baseUrl, stop: async () => portage.api!.stop() };
      const apis = [first, await SecondApi.start(portage)];
      const instances = new Set<{ baseUrl: string }>(apis);
      const balancer = new LoadBalancer(portage, instances);
      await balancer.open();
      const client = new PostingClient(balancer, book('rolling'));
      const oldWorkers = environment.workers;
      const replacements = [
        ...apis.map((old) => async () => {
          const replacement = await SecondApi.start(portage);
          instances.add(replacement);
          await balancer.waitUntilReady(replacement);
          return async () => {
            const stopped = await old.stop();
            instances.delete(old);
            return stopped;
          };
        }),
        ...oldWorkers.map((old) => async () => {
          await portage.startWorker();
          return async () => old.stop();
        }),
      ];
      const posting = client.send();
      try {
        for (const [index, replace] of replacements.entries()) {
          const stopOld = await replace();
          const portion = ACCOUNTS / replacements.length;
          client.allow(portion * (index + 1));
          await client.waitForAnswers(portion * (index + 0.1));
          expect(client.answered).toBeLessThan(portion * (index + 1));
          expect(await stopOld()).toBe(true);
        }
        client.allow(ACCOUNTS);
        await posting;
      } finally {
        client.stop();
        balancer.close();
      }
      expect({ retried: client.retried.size, unexpectedAnswers: client.unexpectedAnswers }).toEqual({
        retried: 0,
        unexpectedAnswers: [],
      });
      expect(client.accepted.size).toBe(ACCOUNTS);
      await waitUntilProcessed(portage, 'rolling-%');
      expect(await findViolations(portage, 'rolling-%')).toEqual([]);
      // Both original instances and both replacements got requests.
      expect([...balancer.requestCounts.values()].filter((count) => count > 0)).toHaveLength(4);
      const [attempts] = await portage.sql<{ count: number }>(
        `SELECT sum(attempt)::int AS count FROM import_process WHERE external_account_number LIKE 'rolling-%'`,
      );
      expect(attempts!.count).toBe(ACCOUNTS);
      for (const api of instances) if ('stop' in api) await (api as SecondApi).stop();
    },
    TIMEOUT_MS * 2,
  );
});

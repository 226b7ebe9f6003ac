import { bookAccount } from '../faults/book-account';
import { brokenPromises } from '../faults/broken-promises';
import { FaultEnvironment } from '../faults/fault-environment';
import { PostingClient } from '../faults/posting-client';
import { findRedisProgram, SecondApi, type TestedBackend, type TestPortage, until } from '@portage/testing';
import { LoadBalancer } from './load-balancer';
import { WorkerTeam } from './worker-team';

const ACCOUNTS = Number(process.env['SCALE_ACCOUNTS'] ?? 2_000);
const WORKER_COUNTS = [1, 2, 4];
/** How far a worker may be from the share that would be fair. */
const MAX_SHARE_DEVIATION = 0.35;
const TIMEOUT_MS = 180_000;

const backends: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];
if (backends.length < 2)
  process.stderr.write('SKIPPED: scale-out on Redis, for no redis-server or valkey-server is on the PATH.\n');

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

let serial = 0;
const book = (name: string) =>
  new Map(
    Array.from({ length: ACCOUNTS }, (_, index) => {
      const number = `${name}-${index}`;
      return [number, bookAccount(number, serial++)] as const;
    }),
  );

async function processed(portage: TestPortage, pattern: string): Promise<number> {
  const [row] = await portage.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_process WHERE status = 'PROCESSED' AND external_account_number LIKE $1`,
    [pattern],
  );
  return row!.count;
}

async function allProcessed(portage: TestPortage, pattern: string): Promise<void> {
  let found = 0;
  await until(
    async () => (found = await processed(portage, pattern)) === ACCOUNTS,
    TIMEOUT_MS,
    () => `${found} of ${ACCOUNTS} processed`,
  );
}

/** From the first start of an account to the last end. */
async function seconds(portage: TestPortage, pattern: string): Promise<number> {
  const [row] = await portage.sql<{ seconds: number }>(
    `SELECT extract(epoch FROM max(occurred_at) FILTER (WHERE event.event = 'PROCESSED')
       - min(occurred_at) FILTER (WHERE event.event = 'STARTED'))::float8 AS seconds
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
      await team.hold();
      const client = new PostingClient(portage, book(name));
      client.allow(ACCOUNTS);
      await client.post();
      expect([client.accepted.size, client.unexpectedAnswers]).toEqual([ACCOUNTS, []]);
      expect(await processed(portage, `${name}-%`)).toBe(0);

      await team.resume();
      await allProcessed(portage, `${name}-%`);
      // A worker counts a job a moment after it has committed what the job did.
      await until(
        async () => sum(await team.shares()) >= ACCOUNTS,
        10_000,
        async () => `the workers have counted ${(await team.shares()).join(' + ')} of ${ACCOUNTS}`,
      );
      const shares = await team.shares();
      const rate = ACCOUNTS / (await seconds(portage, `${name}-%`));
      table.push(`| ${ACCOUNTS} | ${workers} | ${shares.join(', ')} | ${rate.toFixed(0)} | 0 | 0 |`);

      expect(await brokenPromises(portage, `${name}-%`)).toEqual([]);
      // Nothing was done twice, not even in vain.
      expect(sum(shares)).toBe(ACCOUNTS);
      const fair = ACCOUNTS / workers;
      for (const share of shares) expect(Math.abs(share - fair) / fair).toBeLessThan(MAX_SHARE_DEVIATION);
    },
    TIMEOUT_MS * 2,
  );

  it(
    'every process is replaced under load: no request fails, and no account is lost or doubled',
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
          await balancer.sees(replacement);
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
      const posting = client.post();
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
      expect({ sentAgain: client.sentAgain.size, unexpectedAnswers: client.unexpectedAnswers }).toEqual({
        sentAgain: 0,
        unexpectedAnswers: [],
      });
      expect(client.accepted.size).toBe(ACCOUNTS);
      await allProcessed(portage, 'rolling-%');
      expect(await brokenPromises(portage, 'rolling-%')).toEqual([]);
      // All four instances that there were have had their part.
      expect([...balancer.sent.values()].filter((count) => count > 0)).toHaveLength(4);
      const [started] = await portage.sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM import_process_event JOIN import_process ON id = process_id
         WHERE event = 'STARTED' AND external_account_number LIKE 'rolling-%'`,
      );
      expect(started!.count).toBe(ACCOUNTS);
      for (const api of instances) if ('stop' in api) await (api as SecondApi).stop();
    },
    TIMEOUT_MS * 2,
  );
});

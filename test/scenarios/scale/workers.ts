import { METRICS_TOKEN, signIn, until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { check, Clients, countProcesses, untilProcessed } from '@portage/testing/promises';
import { wholeBook } from '../book';
import type { Scenario, ScenarioRun } from '../scenario';

const ACCOUNTS = Number(process.env['SCALE_ACCOUNTS'] ?? 2_000);
/** Maximum deviation of a worker's share from an equal share, as a fraction of it. */
const MAX_SHARE_DEVIATION = 0.35;
const TIMEOUT_MS = 180_000;
const KEY = 'team';
const PROCESSED = /^portage_account_imports_total\{outcome="processed"\} (\d+)$/m;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

export default Object.fromEntries(
  [1, 2, 4].map((workers): [string, Scenario] => [
    `workers-${workers}`,
    {
      title: `work is shared evenly, and each account created once, with workers: ${workers}`,
      minutes: 1,
      run: async (run) => shareWork(run, workers),
    },
  ]),
);

async function shareWork({ install, random, atEnd }: ScenarioRun, workers: number) {
  const installation = await install({ postgres: {}, workers, waits: 'default' });
  const { headers } = await signIn(installation, 'operator');
  const steer = async (action: 'pause' | 'resume') => {
    const path = `/operator/v1/queues/account-imports/${action}`;
    expect((await installation.send('POST', path, { headers })).status).toBe(200);
  };
  await steer('pause');
  const clients = new Clients(installation, { random });
  atEnd(() => {
    clients.stop();
  });
  await clients.post(wholeBook(KEY, ACCOUNTS), 32);
  expect([clients.accepted.size, clients.unexpected]).toEqual([ACCOUNTS, []]);
  expect(await countProcesses(installation, KEY, 'PROCESSED')).toBe(0);

  await steer('resume');
  await untilProcessed(installation, KEY, ACCOUNTS, () => clients.summary(), TIMEOUT_MS);
  // A worker counts a job shortly after its commit.
  await until(
    async () => sum(await readShares(installation)) >= ACCOUNTS,
    async () => `the workers have counted ${(await readShares(installation)).join(' + ')} of ${ACCOUNTS}`,
    10_000,
  );
  const shares = await readShares(installation);
  const rate = ACCOUNTS / (await processingSeconds(installation));
  const { lost, doubled, violations } = await check(installation, KEY, [clients], { haveOwnItems: true });
  expect(violations).toEqual([]);
  // No account was created twice, even in a transaction that was rolled back.
  expect(sum(shares)).toBe(ACCOUNTS);
  expect(unevenShares(shares)).toEqual([]);
  return {
    accounts: ACCOUNTS,
    'share of each': shares.join(', '),
    'accounts a second': rate.toFixed(0),
    lost,
    doubled,
  };
}

/** @returns the shares that deviate from an equal one by more than {@link MAX_SHARE_DEVIATION} of it */
export function unevenShares(shares: readonly number[]): number[] {
  const equalShare = sum(shares) / shares.length;
  return shares.filter((share) => Math.abs(share - equalShare) >= equalShare * MAX_SHARE_DEVIATION);
}

/** The number of accounts that each worker has created since its start. */
async function readShares({ workers }: Installation): Promise<number[]> {
  return Promise.all(
    workers.map(async ({ baseUrl }) => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const metrics = await (await fetch(`${baseUrl}/metrics`, { headers })).text();
      return Number(PROCESSED.exec(metrics)?.[1] ?? 0);
    }),
  );
}

/** Seconds from the first PROCESSED event to the last. */
async function processingSeconds(installation: Installation): Promise<number> {
  const [row] = await installation.sql<{ seconds: number }>(
    `SELECT extract(epoch FROM max(occurred_at) - min(occurred_at))::float8 AS seconds
     FROM import_process_event WHERE event = 'PROCESSED'`,
  );
  return row!.seconds;
}

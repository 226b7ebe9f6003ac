import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@portage/testing';
import type { FaultEnvironment } from './fault-environment';
import type { PostingClient } from './posting-client';

/** How big a run is, and how long what is away stays away. */
export interface Size {
  name: 'short' | 'full';
  accounts: number;
  /** Between the end of one context and the next. */
  pauseMs: number;
  awayMs: number;
  /** Longest time from the last context to the last account. */
  recoveryMs: number;
  waits: 'quick' | 'default';
}

export interface FaultContext {
  environment: FaultEnvironment;
  client: PostingClient;
  size: Size;
  /** SQL pattern of the external account numbers of this fault. */
  pattern: string;
}

export interface Fault {
  /** Begins the external account numbers. */
  key: string;
  title: string;
  /** What {@link strike} counts, so that a context into the void is noticed. */
  struck: string;
  needsRedis?: true;
  workers?: number;
  /** How often it strikes; a run leaves out a fault that never does. */
  strikes: Readonly<Record<Size['name'], number>>;
  /** One context, until what was hit is there again. */
  strike(context: FaultContext): Promise<number>;
  /** What the operator does when all is quiet again. */
  bringBack?(context: FaultContext): Promise<void>;
}

const STRIKE_TIMEOUT_MS = 30_000;
const SETTLED_MS = 150;
const PAUSED = 'import_supplier_migration_not_ongoing';

/** How many processes of the fault have one of the statuses. */
export async function countOf(
  { environment, pattern }: FaultContext,
  ...statuses: string[]
): Promise<number> {
  const [row] = await environment.portage.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_process
     WHERE external_account_number LIKE $1 AND status = ANY($2)`,
    [pattern, statuses],
  );
  return row!.count;
}

/** How many more accounts had to be sent again when `context` had fallen. */
async function sentAgain({ client }: FaultContext, context: () => Promise<void>): Promise<number> {
  const before = client.sentAgain.size;
  await context();
  return client.sentAgain.size - before;
}

/** Every fault during which each accepted account must still be imported exactly once. */
export const FAULTS: readonly Fault[] = [
  {
    key: 'worker-killed',
    title: 'the only worker is killed repeatedly',
    struck: 'active jobs',
    strikes: { short: 1, full: 5 },
    strike: async (context) => {
      const inHand = await killWorkers(context, 1);
      await context.environment.restore(1);
      return inHand;
    },
  },
  {
    key: 'two-of-three-killed',
    title: 'two of three workers are killed at once',
    struck: 'active jobs',
    workers: 3,
    strikes: { short: 0, full: 1 },
    strike: async (context) => killWorkers(context, 2),
  },
  {
    key: 'api-killed',
    title: 'the API is killed repeatedly',
    struck: 'accounts sent again',
    strikes: { short: 0, full: 5 },
    strike: async (context) => sentAgain(context, async () => context.environment.killApi()),
  },
  {
    key: 'postgres-restarted',
    title: 'PostgreSQL is shut down immediately and started again',
    struck: 'accounts sent again',
    strikes: { short: 0, full: 3 },
    strike: async (context) => sentAgain(context, async () => context.environment.restartPostgres()),
  },
  {
    key: 'redis-stopped',
    title: 'Redis is killed and stays down',
    struck: 'accounts accepted meanwhile',
    needsRedis: true,
    strikes: { short: 0, full: 1 },
    strike: async (context) =>
      context.environment.withoutRedis(context.size.awayMs, async () => countOf(context, 'PENDING')),
  },
  {
    key: 'redis-frozen',
    title: 'Redis is suspended (SIGSTOP)',
    struck: 'accounts accepted meanwhile',
    needsRedis: true,
    strikes: { short: 0, full: 1 },
    strike: async (context) =>
      context.environment.withRedisFrozen(context.size.awayMs, async () => countOf(context, 'PENDING')),
  },
  {
    key: 'redis-emptied',
    title: 'Redis is emptied (FLUSHALL)',
    struck: 'jobs lost',
    needsRedis: true,
    strikes: { short: 0, full: 3 },
    strike: async ({ environment }) => environment.emptyRedis(),
  },
  {
    key: 'supplier-paused',
    title: 'the supplier is paused half-way and resumed',
    struck: 'accounts refused',
    strikes: { short: 0, full: 1 },
    strike: pauseSupplier,
    bringBack: retryPaused,
  },
];

/** Kills workers at a moment when they have jobs in hand, and returns how many. */
async function killWorkers(context: FaultContext, count: number): Promise<number> {
  const { environment, pattern } = context;
  const workers = environment.workers.slice(0, count);
  let inHand = 0;
  await until(
    async () =>
      environment.withFrozen(workers, async (since) => {
        // What others have in hand is done by then.
        await sleep(SETTLED_MS);
        const [row] = await environment.portage.sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM import_process
           WHERE external_account_number LIKE $1 AND status = 'IN_PROGRESS' AND modified_at <= $2`,
          [pattern, since],
        );
        inHand = row!.count;
        if (inHand > 0) await environment.kill(...workers);
        return inHand > 0;
      }),
    STRIKE_TIMEOUT_MS,
    () => 'the workers never had jobs in hand',
  );
  return inHand;
}

async function pauseSupplier(context: FaultContext): Promise<number> {
  const { environment, client, size } = context;
  const { portage } = environment;
  const setStatus = async (status: string) =>
    portage.operator('supplier', 'set-status', portage.supplier, status);
  // While the worker stands still, accounts that were accepted before the pause queue up for it.
  await environment.withFrozen(environment.workers, async () => {
    await client.waitForAnswers(size.accounts / 2);
    await setStatus('Paused');
  });
  try {
    client.allow(size.accounts);
    await client.waitForAnswers(size.accounts);
    await until(
      async () => (await countOf(context, 'ERRORED')) > 0 && client.refused.size > 0,
      STRIKE_TIMEOUT_MS,
      () => `no account of a paused supplier was ERRORED and refused; ${client.summary()}`,
    );
    return (await countOf(context, 'ERRORED')) + client.refused.size;
  } finally {
    await setStatus('Ongoing');
  }
}

async function retryPaused(context: FaultContext): Promise<void> {
  const { portage } = context.environment;
  await context.client.postRefusedAgain();
  await until(
    async () => (await countOf(context, 'PENDING', 'IN_PROGRESS')) === 0,
    context.size.recoveryMs,
    () => 'processes were still under way',
  );
  await portage.operator('process', 'retry', '--supplier', portage.supplier, '--error-code', PAUSED);
}

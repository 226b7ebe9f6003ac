import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@portage/testing';
import type { BookClient } from './book-client';
import type { FaultEnvironment } from './fault-environment';
import type { PostingClient } from './posting-client';

/** The size of a run and its durations. */
export interface Size {
  name: 'short' | 'full';
  accounts: number;
  /** Pause between the end of one injection and the next one. */
  pauseMs: number;
  /** Time for which a fault keeps Redis unavailable. */
  outageMs: number;
  /** Timeout for the import of all accounts after the last injection. */
  recoveryTimeoutMs: number;
  waits: 'quick' | 'default';
}

export interface FaultContext<Client extends BookClient = PostingClient> {
  environment: FaultEnvironment;
  client: Client;
  size: Size;
  /** SQL pattern of the external account numbers of this fault. */
  pattern: string;
}

export interface Fault<Client extends BookClient = PostingClient> {
  /** Prefix of the external account numbers. */
  key: string;
  title: string;
  /** The kind of work that {@link inject} counts. A run that affects none fails. */
  affected: string;
  needsRedis?: true;
  workers?: number;
  /** The number of injections per size of run; 0 excludes the fault. */
  injections: Readonly<Record<Size['name'], number>>;
  /** Injects the fault once, waits until the affected process runs again, and returns the amount of affected work. */
  inject(context: FaultContext<Client>): Promise<number>;
  /** The operator's actions after the last injection. */
  recover?(context: FaultContext<Client>): Promise<void>;
}

const INJECTION_TIMEOUT_MS = 30_000;
/** After this time other workers have committed the jobs that were active at the suspension. */
const COMMIT_DELAY_MS = 150;
const PAUSED_CODE = 'import_supplier_migration_not_ongoing';

/** Counts the fault's import processes with one of the statuses. */
export async function countOf(
  { environment, pattern }: Pick<FaultContext, 'environment' | 'pattern'>,
  ...statuses: string[]
): Promise<number> {
  const [row] = await environment.portage.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_process
     WHERE external_account_number LIKE $1 AND status = ANY($2)`,
    [pattern, statuses],
  );
  return row!.count;
}

/** Counts the accounts that were posted more than once because of `inject`. */
async function countRetried({ client }: FaultContext, inject: () => Promise<void>): Promise<number> {
  const before = client.retried.size;
  await inject();
  return client.retried.size - before;
}

/** The faults despite which each accepted account must be imported exactly once. */
export const FAULTS: readonly Fault[] = [
  {
    key: 'worker-killed',
    title: 'the only worker is killed repeatedly',
    affected: 'active jobs',
    injections: { short: 1, full: 5 },
    inject: async (context) => {
      const active = await killWorkers(context, 1);
      await context.environment.restore(1);
      return active;
    },
  },
  {
    key: 'two-of-three-killed',
    title: 'two of three workers are killed at once',
    affected: 'active jobs',
    workers: 3,
    injections: { short: 0, full: 1 },
    inject: async (context) => killWorkers(context, 2),
  },
  {
    key: 'api-killed',
    title: 'the API is killed repeatedly',
    affected: 'accounts sent again',
    injections: { short: 0, full: 5 },
    inject: async (context) => countRetried(context, async () => context.environment.killApi()),
  },
  {
    key: 'postgres-restarted',
    title: 'PostgreSQL is shut down immediately and started again',
    affected: 'accounts sent again',
    injections: { short: 0, full: 3 },
    inject: async (context) => countRetried(context, async () => context.environment.restartPostgres()),
  },
  {
    key: 'redis-stopped',
    title: 'Redis is killed and stays down',
    affected: 'accounts accepted meanwhile',
    needsRedis: true,
    injections: { short: 0, full: 1 },
    inject: async (context) =>
      context.environment.withoutRedis(context.size.outageMs, async () => countOf(context, 'PENDING')),
  },
  {
    key: 'redis-frozen',
    title: 'Redis is suspended (SIGSTOP)',
    affected: 'accounts accepted meanwhile',
    needsRedis: true,
    injections: { short: 0, full: 1 },
    inject: async (context) =>
      context.environment.withRedisSuspended(context.size.outageMs, async () => countOf(context, 'PENDING')),
  },
  {
    key: 'redis-emptied',
    title: 'Redis is emptied (FLUSHALL)',
    affected: 'jobs lost',
    needsRedis: true,
    injections: { short: 0, full: 3 },
    inject: async ({ environment }) => environment.emptyRedis(),
  },
  {
    key: 'supplier-paused',
    title: 'the supplier is paused half-way and resumed',
    affected: 'accounts refused',
    injections: { short: 0, full: 1 },
    inject: pauseSupplier,
    recover: retryPaused,
  },
];

/** Kills workers while they are importing accounts, and returns the number of those accounts. */
export async function killWorkers(
  { environment, pattern }: Pick<FaultContext, 'environment' | 'pattern'>,
  count: number,
): Promise<number> {
  const workers = environment.workers.slice(0, count);
  let active = 0;
  await until(
    async () =>
      environment.withSuspended(workers, async () => {
        const before = await environment.activeProcesses();
        await sleep(COMMIT_DELAY_MS);
        // Other workers have ended their batches meanwhile.
        const still = new Set(await environment.activeProcesses());
        const [row] = await environment.portage.sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM import_process
           WHERE external_account_number LIKE $1 AND status IN ('PENDING', 'IN_PROGRESS') AND id = ANY($2::bigint[])`,
          [pattern, before.filter((id) => still.has(id))],
        );
        active = row!.count;
        if (active > 0) await environment.kill(...workers);
        return active > 0;
      }),
    INJECTION_TIMEOUT_MS,
    () => 'the workers had no active jobs',
  );
  return active;
}

async function pauseSupplier(context: FaultContext): Promise<number> {
  const { environment, client, size } = context;
  const { portage } = environment;
  const setStatus = async (status: string) =>
    portage.operator('supplier', 'set-status', portage.supplier, status);
  // While the worker is suspended, accounts that were accepted before the pause queue up for it.
  await environment.withSuspended(environment.workers, async () => {
    await client.waitForAnswers(size.accounts / 2);
    await setStatus('Paused');
  });
  try {
    client.allow(size.accounts);
    await client.waitForAnswers(size.accounts);
    await until(
      async () => (await countOf(context, 'ERRORED')) > 0 && client.refused.size > 0,
      INJECTION_TIMEOUT_MS,
      () => `no account of a paused supplier was ERRORED and refused; ${client.summary()}`,
    );
    return (await countOf(context, 'ERRORED')) + client.refused.size;
  } finally {
    await setStatus('Ongoing');
  }
}

async function retryPaused(context: FaultContext): Promise<void> {
  const { portage } = context.environment;
  await context.client.retryRefused();
  await until(
    async () => (await countOf(context, 'PENDING', 'IN_PROGRESS')) === 0,
    context.size.recoveryTimeoutMs,
    () => 'some import processes had not ended',
  );
  await portage.operator('process', 'retry', '--supplier', portage.supplier, '--error-code', PAUSED_CODE);
}

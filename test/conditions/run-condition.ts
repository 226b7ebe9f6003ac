import { setTimeout as sleep } from 'node:timers/promises';
import type { TestedBackend } from '@portage/testing';
import { checkHistory } from './check-history';
import { Clients } from './clients';
import type { Condition } from './conditions';
import { ConditionsEnvironment, type Instance, type Stop } from './environment';
import { readStored, readUnprocessedLines, readViews } from './final-state';
import type { Call } from './history';
import { seededRandom } from './random';

/** What a run has shown. */
export interface Measurement {
  condition: Pick<Condition, 'key' | 'title'>;
  backend: TestedBackend;
  seed: number;
  affectedConnections: number;
  calls: number;
  accepted: number;
  lost: number;
  doubled: number;
  violations: string[];
  /** From the fault to the end of the last slow or failed answer that began under it, of the worst instance. */
  answersAfterMs: number;
  /** The same by instance. */
  byInstance: Record<string, number>;
  /** The slow or failed calls that ended last, for the message of a failure. */
  lastBadCalls: string[];
  /** From the heal to the last PROCESSED event. */
  endedAfterMs: number;
  /** True if every account and request came to its end within {@link END_TIMEOUT_MS} of the heal. */
  isFinished: boolean;
  /** Transactions that had been idle for ten seconds, at twenty seconds after the fault. */
  idleTransactions: number;
  stops: Stop[];
}

const PROBE_MS = 500;
const PROBE_TIMEOUT_MS = 30_000;
/** An instance that takes longer does not answer well. */
const SLOW_MS = 5_000;
const END_TIMEOUT_MS = 90_000;
const LINES = 40;
const MAX_LISTED = 15;
const IDLE_CHECK_MS = 20_000;

/** Runs clients against two API instances and two workers while the fault holds, heals it, and checks the history. */
export async function runCondition(
  condition: Condition,
  backend: TestedBackend,
  seed: number,
): Promise<Measurement> {
  const random = seededRandom(seed);
  const environment = await ConditionsEnvironment.start({
    backend,
    random,
    ...(condition.env && { env: condition.env }),
    ...(condition.standby && { standby: condition.standby }),
    ...(condition.redis && { redis: condition.redis }),
  });
  try {
    return await run(condition, environment, backend, seed, random);
  } finally {
    await environment.stop();
  }
}

async function run(
  condition: Condition,
  environment: ConditionsEnvironment,
  backend: TestedBackend,
  seed: number,
  random: () => number,
): Promise<Measurement> {
  const [before, during, after] = condition.seconds;
  const load = { ...condition, seconds: before + during + after };
  const clients = new Clients(environment, load, random);
  const probes = new Probes(environment, clients, `${condition.key}-0`);
  try {
    return await measure(condition, environment, { clients, probes }, backend, seed, random);
  } finally {
    // After an error they would go on at programs that are gone.
    clients.stop();
    await probes.stop();
  }
}

async function measure(
  condition: Condition,
  environment: ConditionsEnvironment,
  { clients, probes }: { clients: Clients; probes: Probes },
  backend: TestedBackend,
  seed: number,
  random: () => number,
): Promise<Measurement> {
  const [before, during, after] = condition.seconds;
  await clients.openSubmission();
  const sending = clients.send();
  await sleep(before * 1_000);
  clients.sendLines(LINES);
  probes.start();
  await sleep(50);
  const faultAt = performance.now();
  const affectedConnections = await condition.inject(environment, random);
  const idle = sleep(Math.min(IDLE_CHECK_MS, during * 1_000)).then(async () => countIdle(environment));
  await sleep(during * 1_000);
  const idleTransactions = await idle;
  const healedAt = Date.now();
  const healedAtOfCalls = performance.now();
  for (const { postgres, redis } of environment.instances) {
    postgres.heal();
    redis?.heal();
  }
  environment.deployment?.resume();
  await sending;
  const isFinished = await clients.finish(END_TIMEOUT_MS - after * 1_000);
  await probes.stop();
  const stored = await readStored(environment, condition.key);
  const views = await readViews(environment, clients);
  const lines = await readUnprocessedLines(environment, clients);
  const { calls } = clients;
  const accepted = new Set(
    calls
      .filter(({ operation, status }) => operation === 'schedule' && status === 201)
      .map(({ account }) => account),
  );
  const existing = new Set(stored.filter(({ accounts }) => accounts > 0).map(({ account }) => account));
  const bad = badCalls([...calls, ...probes.calls], faultAt, healedAtOfCalls);
  const byInstance = settlingTimes(environment.instances, bad, faultAt);
  return {
    condition,
    backend,
    seed,
    affectedConnections,
    calls: calls.length,
    accepted: accepted.size,
    lost: [...accepted].filter((account) => !existing.has(account)).length,
    doubled: stored.filter(({ accounts, processedEvents }) => accounts > 1 || processedEvents > 1).length,
    violations: [...checkHistory(calls, stored, views), ...lines],
    answersAfterMs: Math.max(...Object.values(byInstance)),
    byInstance,
    lastBadCalls: bad
      .toSorted((one, other) => other.endedAt - one.endedAt)
      .slice(0, MAX_LISTED)
      .map((call) => describeCall(call, faultAt)),
    endedAfterMs: Math.max(0, (await lastProcessedAt(environment, condition.key)) - healedAt),
    isFinished,
    idleTransactions,
    stops: await environment.stopInstances(),
  };
}

/** Asks each instance at short intervals whether it answers: APIs for an account, workers for their readiness. */
class Probes {
  readonly calls: Call[] = [];
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly environment: ConditionsEnvironment,
    private readonly clients: Clients,
    private readonly account: string,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      for (const instance of this.environment.instances) {
        const probe = this.probe(instance).finally(() => this.running.delete(probe));
        this.running.add(probe);
      }
    }, PROBE_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.running);
  }

  private async probe(instance: Instance): Promise<void> {
    const request =
      instance.kind === 'api'
        ? this.clients.statusOf(this.account)
        : ({ operation: 'list', method: 'GET', path: '/health/ready' } as const);
    this.calls.push(await this.clients.probe(instance, this.account, request, PROBE_TIMEOUT_MS));
  }
}

/** The slow and the failed calls that began before the heal. */
function badCalls(calls: readonly Call[], faultAt: number, healedAt: number): Call[] {
  return calls.filter(
    ({ status, startedAt, endedAt }) =>
      endedAt > faultAt &&
      startedAt < healedAt &&
      (status === 0 || status >= 500 || endedAt - Math.max(startedAt, faultAt) > SLOW_MS),
  );
}

/** By instance: from the fault to the end of its last bad call. */
function settlingTimes(
  instances: readonly Instance[],
  bad: readonly Call[],
  faultAt: number,
): Record<string, number> {
  return Object.fromEntries(
    instances.map(({ name }) => {
      const ends = bad.filter(({ instance }) => instance === name).map(({ endedAt }) => endedAt - faultAt);
      return [name, Math.round(Math.max(0, ...ends))];
    }),
  );
}

function describeCall(
  { operation, instance, account, status, startedAt, endedAt }: Call,
  faultAt: number,
): string {
  const seconds = (at: number) => ((at - faultAt) / 1_000).toFixed(1);
  return `${operation} ${account} at ${instance}: ${status}, ${seconds(startedAt)} to ${seconds(endedAt)} s`;
}

async function countIdle(environment: ConditionsEnvironment): Promise<number> {
  const [row] = await environment.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '10 seconds'`,
  );
  return row!.count;
}

async function lastProcessedAt(environment: ConditionsEnvironment, key: string): Promise<number> {
  const [row] = await environment.sql<{ at: number | null }>(
    `SELECT extract(epoch FROM max(event.occurred_at))::float8 * 1000 AS at FROM import_process_event event
     JOIN import_process process ON process.id = event.process_id
     WHERE event.event = 'PROCESSED' AND process.external_account_number LIKE $1`,
    [`${key}-%`],
  );
  return row!.at ?? 0;
}

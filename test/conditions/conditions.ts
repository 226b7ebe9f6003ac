import type { RedisDeploymentOptions, TestedBackend } from '@portage/testing';
import type { ConditionsEnvironment, Instance } from './environment';
import { shiftedClock } from './shifted-clock';
import type { Direction, FaultProxy } from './proxy';
import type { Replication } from './replicated-postgres';

/** A fault of the network, and the load beside it. */
export interface Condition {
  /** Prefix of the external account numbers. */
  key: string;
  title: string;
  backends: readonly TestedBackend[];
  accountsPerSecond: number;
  /** Seconds of load before the fault, under it, and after its heal. */
  seconds: readonly [before: number, during: number, after: number];
  windowSeconds?: number;
  /** True if instances cannot answer under the fault, because it affects new connections too. */
  affectsNewConnections?: true;
  env?: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** PostgreSQL has a standby. */
  standby?: Replication;
  /** How Redis is run. Default: one server, with a proxy before it for each process. */
  redis?: RedisDeploymentOptions;
  /**
   * Begins the fault.
   *
   * @returns the number of connections that it affected; zero fails the run
   */
  inject(environment: ConditionsEnvironment, random: () => number): number | Promise<number>;
}

/** Each fault hits one API and one worker; the others stay as they are. */
function hit({ instances }: ConditionsEnvironment): Instance[] {
  return instances.filter(({ name }) => name.endsWith('-1'));
}

const BOTH: readonly TestedBackend[] = ['postgres', 'redis'];

function silencePostgres(direction: Direction): Condition['inject'] {
  return (environment) =>
    hit(environment).reduce((sum, { postgres }) => sum + postgres.silence(direction), 0);
}

const LOAD = { accountsPerSecond: 10, seconds: [4, 20, 3] } as const;

export const SILENCE: readonly Condition[] = [
  {
    ...LOAD,
    key: 'silent-postgres',
    title: 'connections of an API and a worker to PostgreSQL fall silent in both directions',
    backends: BOTH,
    inject: silencePostgres('both'),
  },
  {
    ...LOAD,
    key: 'silent-answers',
    title: 'connections of an API and a worker to PostgreSQL carry no answers',
    backends: BOTH,
    inject: silencePostgres('to-client'),
  },
  {
    ...LOAD,
    key: 'silent-all',
    title: 'connections of all instances to PostgreSQL fall silent, as when its address moves',
    backends: BOTH,
    inject: ({ instances }) => instances.reduce((sum, { postgres }) => sum + postgres.silence('both'), 0),
  },
  {
    ...LOAD,
    key: 'silent-redis',
    title: 'connections of an API and a worker to Redis fall silent',
    backends: ['redis'],
    inject: (environment) =>
      hit(environment).reduce((sum, { redis }) => sum + (redis?.silence('both') ?? 0), 0),
  },
];

/** No fault of the network: the clocks of some instances are ten minutes apart from that of the database. */
const CLOCKS_APART = { accountsPerSecond: 10, seconds: [4, 10, 6], backends: BOTH } as const;
const TEN_MINUTES = 600;

function countShifted({ env = {} }: Pick<Condition, 'env'>): Condition['inject'] {
  return () => Object.keys(env).length;
}

function withClocks(env: Condition['env'] & object): Pick<Condition, 'env' | 'inject'> {
  return { env, inject: countShifted({ env }) };
}

export const CLOCKS: readonly Condition[] = [
  {
    ...CLOCKS_APART,
    ...withClocks({ 'worker-1': shiftedClock(TEN_MINUTES) }),
    key: 'worker-ahead',
    title: 'the clock of a worker is ten minutes ahead, and every account has a schedule window',
    windowSeconds: 8,
  },
  {
    ...CLOCKS_APART,
    ...withClocks({ 'worker-1': shiftedClock(-TEN_MINUTES) }),
    key: 'worker-behind',
    title: 'the clock of a worker is ten minutes behind, and every account has a schedule window',
    windowSeconds: 8,
  },
  {
    ...CLOCKS_APART,
    ...withClocks({ 'api-2': shiftedClock(TEN_MINUTES), 'worker-2': shiftedClock(TEN_MINUTES) }),
    key: 'clocks-apart',
    title: 'the clocks of an API and a worker are ten minutes ahead of the others',
  },
];

/** The faults of one proxy. */
const FAULTS: readonly ((proxy: FaultProxy) => number)[] = [
  (proxy) => proxy.silence('both'),
  (proxy) => proxy.silence('to-client'),
  (proxy) => proxy.silence('to-server'),
  (proxy) => proxy.reset(),
  (proxy) => {
    proxy.refuse();
    return 1;
  },
  (proxy) => {
    proxy.loseAnswers(0.05);
    return proxy.connectionCount;
  },
  (proxy) => {
    proxy.delay(100);
    return proxy.connectionCount;
  },
  (proxy) => {
    proxy.dribble(200);
    return proxy.connectionCount;
  },
];

/** The seed chooses a fault for every connection between an instance and a server. */
export const HISTORY: readonly Condition[] = [
  {
    key: 'random-faults',
    title: 'each instance has another fault of the network',
    backends: BOTH,
    accountsPerSecond: 8,
    seconds: [4, 12, 4],
    affectsNewConnections: true,
    inject: ({ instances }, random) => {
      const proxies = instances.flatMap(({ postgres, redis }) => (redis ? [postgres, redis] : [postgres]));
      const affected = proxies.map((proxy) => FAULTS[Math.floor(random() * FAULTS.length)]!(proxy));
      return affected.reduce((sum, count) => sum + count, 0);
    },
  },
];

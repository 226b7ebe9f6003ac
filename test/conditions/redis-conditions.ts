import { existsSync } from 'node:fs';
import { findRedisProgram, type RedisDeploymentOptions, type RedisTopology } from '@portage/testing';
import type { Condition } from './conditions';

/** The path of a second server program, such as Valkey's, on which everything is repeated. */
const { CONDITIONS_VALKEY = '/usr/bin/valkey-server' } = process.env;

/** The server programs of this machine, by the name that titles and keys have. */
const PROGRAMS: Readonly<Record<string, string | undefined>> = {
  redis: findRedisProgram(),
  valkey: existsSync(CONDITIONS_VALKEY) ? CONDITIONS_VALKEY : undefined,
};

/** Every way to run Redis, with each server program of this machine. */
export const REDIS_DEPLOYMENTS: readonly (RedisDeploymentOptions & { name: string })[] = Object.entries(
  PROGRAMS,
).flatMap(([name, program]) =>
  program === undefined
    ? []
    : (['tls', 'sentinel', 'cluster'] as const satisfies RedisTopology[]).map((topology) => ({
        name: `${name} with ${topology}`,
        topology,
        program,
      })),
);

const LOAD = { accountsPerSecond: 10, seconds: [5, 20, 3], backends: ['redis'] } as const;

const TITLES = {
  sentinel: 'the primary that Sentinels watch',
  cluster: 'the node of a cluster that stores the queues',
} as const;

/** Fail-overs: what was in the lost server and not in its replica is lost there, and the database has it. */
export const REDIS: readonly Condition[] = Object.entries(PROGRAMS).flatMap(([name, program]) =>
  program === undefined
    ? []
    : (['sentinel', 'cluster'] as const).flatMap((topology): Condition[] => [
        {
          ...LOAD,
          key: `${name}-${topology}-killed`,
          title: `${TITLES[topology]} is killed, on ${name}`,
          redis: { topology, program },
          inject: async ({ deployment }) => deployment!.killPrimary(),
        },
        {
          ...LOAD,
          key: `${name}-${topology}-silent`,
          title: `${TITLES[topology]} is suspended, on ${name}`,
          redis: { topology, program },
          inject: async ({ deployment }) => deployment!.suspendPrimary(),
        },
      ]),
);

import { existsSync } from 'node:fs';
import { findRedisProgram, MISSING } from '@portage/testing';

/** The path of a second server program, such as Valkey's, on which everything is repeated. */
const { SCENARIOS_VALKEY: VALKEY = '/usr/bin/valkey-server' } = process.env;

/** The server programs of queues, each with the reason why this machine has none. */
export const REDIS_PROGRAMS = [
  {
    name: 'redis',
    program: findRedisProgram(),
    missing: () => (findRedisProgram() === undefined ? MISSING.redis : undefined),
  },
  {
    name: 'valkey',
    program: VALKEY,
    missing: () =>
      existsSync(VALKEY)
        ? undefined
        : `there is no ${VALKEY}; install the Debian package valkey-server, or name a program in SCENARIOS_VALKEY`,
  },
] as const;

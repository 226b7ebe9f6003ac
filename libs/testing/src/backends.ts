import { Redis } from 'ioredis';
import { REDIS_DATABASES } from './installation/redis-servers';

export type TestedBackend = 'postgres' | 'redis';

/**
 * The queue backends of this run: PostgreSQL in `npm test`, Redis in `npm run test:operations` if the machine has it, and all
 * that it has with `TESTED_BACKEND=all` and in a run of a suite by its path.
 */
export function testedBackends(hasRedis = process.env['PORTAGE_TEST_REDIS'] !== undefined): TestedBackend[] {
  const found: TestedBackend[] = hasRedis ? ['postgres', 'redis'] : ['postgres'];
  const tested = found.filter((backend) => backend === process.env['TESTED_BACKEND']);
  return tested.length > 0 ? tested : found;
}

/** False in `npm test`, which a machine without Redis can run. */
export function mayTestRedis(): boolean {
  return process.env['TESTED_BACKEND'] !== 'postgres';
}

/** The backend of a suite through HTTP that does not depend on it: Redis, if it is there, which other suites use less. */
export function anyBackend(): TestedBackend {
  return testedBackends().at(-1)!;
}

/** The maximum that scripts/test.mjs starts. */
const MAX_WORKERS = 4;

let next = 0;

/** The address of an empty Redis database for one test; undefined for the PostgreSQL backend. */
export async function newRedisDatabase(backend: TestedBackend): Promise<string | undefined> {
  // Each jest worker has a range of its own.
  const worker = Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
  if (worker >= MAX_WORKERS) throw new Error(`There are Redis databases for ${MAX_WORKERS} jest workers.`);
  const range = Math.floor((databaseCount() - 2) / MAX_WORKERS);
  return emptyDatabase(backend, 1 + worker * range + (next++ % range));
}

/** The address of the Redis database of the services that suites share; undefined for the PostgreSQL backend. */
export async function newSharedRedisDatabase(backend: TestedBackend): Promise<string | undefined> {
  return emptyDatabase(backend, databaseCount() - 1);
}

/** A server that the tests did not start has sixteen databases. */
function databaseCount(): number {
  return process.env['TEST_REDIS_URL'] ? 16 : REDIS_DATABASES;
}

async function emptyDatabase(backend: TestedBackend, index: number): Promise<string | undefined> {
  const server = process.env['PORTAGE_TEST_REDIS'];
  if (backend === 'postgres' || !server) return undefined;
  const url = new URL(server);
  url.pathname = `/${index}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  redis.disconnect();
  return url.href;
}

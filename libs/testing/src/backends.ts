import { Redis } from 'ioredis';
import { REDIS_DATABASES } from './redis-server';

export type TestedBackend = 'postgres' | 'redis';

/** The queue backends that this run covers; the global setup says which. */
export function testedBackends(): TestedBackend[] {
  return process.env['PORTAGE_TEST_REDIS'] ? ['postgres', 'redis'] : ['postgres'];
}

/** As scripts/test.mjs starts at the most. */
const MOST_WORKERS = 4;

let next = 0;

/** The address of an empty Redis database for one test; undefined for the PostgreSQL backend. */
export async function newRedisDatabase(backend: TestedBackend): Promise<string | undefined> {
  const server = process.env['PORTAGE_TEST_REDIS'];
  if (backend === 'postgres' || !server) return undefined;
  const url = new URL(server);
  // Each jest worker has a range of its own; a server that was not started by us has sixteen databases.
  const worker = Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
  if (worker >= MOST_WORKERS) throw new Error(`There are Redis databases for ${MOST_WORKERS} jest workers.`);
  const range = Math.floor(((process.env['TEST_REDIS_URL'] ? 16 : REDIS_DATABASES) - 1) / MOST_WORKERS);
  url.pathname = `/${1 + worker * range + (next++ % range)}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  redis.disconnect();
  return url.href;
}

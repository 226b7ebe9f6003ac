import { Redis } from 'ioredis';

export type TestedBackend = 'postgres' | 'redis';

/** The queue backends that this run covers; the global setup says which. */
export function testedBackends(): TestedBackend[] {
  return process.env['PORTAGE_TEST_REDIS'] ? ['postgres', 'redis'] : ['postgres'];
}

let next = 0;

/** The address of an empty Redis database for one test; undefined for the PostgreSQL backend. */
export async function newRedisDatabase(backend: TestedBackend): Promise<string | undefined> {
  const server = process.env['PORTAGE_TEST_REDIS'];
  if (backend === 'postgres' || !server) return undefined;
  const url = new URL(server);
  // Each jest worker has a range of its own; a server that was not started by us has sixteen databases.
  const worker = Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
  const range = process.env['TEST_REDIS_URL'] ? 7 : 30;
  url.pathname = `/${1 + (worker % 2) * range + (next++ % range)}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  redis.disconnect();
  return url.href;
}

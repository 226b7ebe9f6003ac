import { Pool } from 'pg';
import type { Settings } from '../settings';

/** More connections would only add context switches in PostgreSQL. */
const CONNECTIONS = 4;

export function databasePool({ databaseUrl }: Settings): Pool {
  return new Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    keepAlive: true,
    // Without these settings, plans with scans that were made for small tables would stay cached.
    options: '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off',
  });
}

import { Pool } from 'pg';
import type { Settings } from '../settings';

/** More would only make PostgreSQL switch between them. */
const CONNECTIONS = 4;

export function databasePool({ databaseUrl }: Settings): Pool {
  return new Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    keepAlive: true,
    // Whoever writes this by hand has met the plans that scan: they are made while the tables are small, and stay.
    options: '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off',
  });
}

import type { Config } from '@portage/platform';

/**
 * The kinds of data-import requests, which `@Endpoint()` names for each route. An organisation has a limit of concurrent
 * requests for each of them.
 */
export type RequestKind =
  | 'accounts'
  | 'transactions'
  | 'payment-instructions'
  | 'documented-requests'
  | 'uploads'
  | 'lists'
  | 'events'
  | 'others';

/** The limit of concurrent requests of one organisation. */
export interface ConcurrencyLimit {
  /** While no other organisation uses this process: as much as the process can make use of. */
  alone: number;
  /** While another organisation has one request at a time: few, because each one that runs delays those of others. */
  shared: number;
}

/**
 * The limits of all kinds.
 *
 * @param limits.DATABASE_POOL database connections of this process. Requests that hold a connection for a whole
 * transaction, while they wait for the lock of an account, must leave connections to others.
 * @param limits.WORKER_CONCURRENCY jobs of one queue that a worker processes at the same time. Jobs that wait for a
 * vendor must leave places to others: a job of another organisation is the next one, but it starts only in a free place.
 */
export function concurrencyLimits({
  DATABASE_POOL: poolSize,
  WORKER_CONCURRENCY,
}: Pick<Config, 'DATABASE_POOL' | 'WORKER_CONCURRENCY'>): Readonly<Record<RequestKind, ConcurrencyLimit>> {
  const vendorCalls = Math.max(1, Math.floor((3 * WORKER_CONCURRENCY) / 4));
  return {
    accounts: { alone: 64, shared: 2 },
    transactions: { alone: 64, shared: 2 },
    // These mostly wait for their vendor, and cost little meanwhile.
    'payment-instructions': { alone: vendorCalls, shared: Math.min(8, vendorCalls) },
    'documented-requests': { alone: Math.max(1, Math.floor(poolSize / 2)), shared: 1 },
    // Each of them holds up to two database connections at a time.
    uploads: { alone: Math.max(1, Math.floor(poolSize / 4)), shared: 1 },
    lists: { alone: 8, shared: 1 },
    // Most of them wait for events and cost nothing. Their reads run one after the other.
    events: { alone: 100, shared: 100 },
    others: { alone: 64, shared: 4 },
  };
}

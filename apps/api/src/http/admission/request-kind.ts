import type { Config } from '@portage/platform';

/**
 * The kinds of data-import requests, which `@Endpoint()` names for each route. An organisation has a limit of concurrent
 * requests for each of them.
 */
export type RequestKind =
  | 'accounts'
  | 'transactions'
  | 'payment-instructions'
  | 'notes-and-statements'
  | 'uploads'
  | 'lists'
  | 'events'
  | 'others';

/** The limit of concurrent requests of one organisation. */
export interface ConcurrencyLimit {
  /** While no other organisation uses this process: as much as the process can make use of. */
  maxWithoutOthers: number;
  /** While another organisation has one request at a time: few, because each one that runs delays those of others. */
  maxBesideOthers: number;
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
    accounts: { maxWithoutOthers: 64, maxBesideOthers: 2 },
    transactions: { maxWithoutOthers: 64, maxBesideOthers: 2 },
    // These mostly wait for their vendor, and cost little meanwhile.
    'payment-instructions': { maxWithoutOthers: vendorCalls, maxBesideOthers: Math.min(8, vendorCalls) },
    'notes-and-statements': { maxWithoutOthers: Math.max(1, Math.floor(poolSize / 2)), maxBesideOthers: 1 },
    // Each of them holds up to two database connections at a time.
    uploads: { maxWithoutOthers: Math.max(1, Math.floor(poolSize / 4)), maxBesideOthers: 1 },
    lists: { maxWithoutOthers: 8, maxBesideOthers: 1 },
    // Most of them wait for events and cost nothing. Their reads run one after the other.
    events: { maxWithoutOthers: 100, maxBesideOthers: 100 },
    others: { maxWithoutOthers: 64, maxBesideOthers: 4 },
  };
}

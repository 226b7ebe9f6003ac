/** The recent throughput of a migration, and the estimated time for the remaining processes. */
export interface Pace {
  perSecond: number;
  /** Undefined while no process ends, because no estimate is possible. */
  secondsLeft: number | undefined;
}

/** The number of latest buckets in the estimate. Older ones would include the throughput of fewer workers. */
const MAX_BUCKETS = 10;

/**
 * Estimates the pace of a migration.
 *
 * @param ended number of processes that ended in each bucket of `bucketSeconds`, the latest bucket last
 * @param remaining number of processes that have not ended
 */
export function paceOf(ended: readonly number[], bucketSeconds: number, remaining: number): Pace {
  const latest = ended.slice(-MAX_BUCKETS);
  const firstActive = latest.findIndex((count) => count > 0);
  if (firstActive === -1) return { perSecond: 0, secondsLeft: remaining === 0 ? 0 : undefined };
  const counted = latest.slice(firstActive);
  const perSecond = counted.reduce((sum, count) => sum + count, 0) / (counted.length * bucketSeconds);
  return { perSecond, secondsLeft: Math.ceil(remaining / perSecond) };
}

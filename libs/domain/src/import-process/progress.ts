/** How fast processes came to an end lately, and how long the rest takes at that pace. */
export interface Pace {
  perSecond: number;
  /** Undefined while nothing comes to an end: any number would be a guess. */
  secondsLeft: number | undefined;
}

/** So many of the last buckets tell the pace: more would remember how it was before workers were added. */
const BUCKETS_THAT_COUNT = 10;

/**
 * The pace of a migration.
 *
 * @param ended how many processes came to an end in each bucket of `bucketSeconds`, the latest last
 * @param remaining how many are still to come to an end
 */
export function paceOf(ended: readonly number[], bucketSeconds: number, remaining: number): Pace {
  const latest = ended.slice(-BUCKETS_THAT_COUNT);
  const begun = latest.findIndex((count) => count > 0);
  if (begun === -1) return { perSecond: 0, secondsLeft: remaining === 0 ? 0 : undefined };
  const counted = latest.slice(begun);
  const perSecond = counted.reduce((sum, count) => sum + count, 0) / (counted.length * bucketSeconds);
  return { perSecond, secondsLeft: Math.ceil(remaining / perSecond) };
}

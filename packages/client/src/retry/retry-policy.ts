/** Limits for the retries of a request. A request beyond them counts as unreachable. */
export interface RetryPolicy {
  /** Maximum delay before the first retry; doubles with each attempt. */
  baseDelayMs: number;
  /** Maximum delay before any retry, unless the service requests a longer one. */
  maxDelayMs: number;
  maxAttempts: number;
  /** Maximum time after the first attempt at which another one may start. */
  maxDurationMs: number;
}

/**
 * Exponential backoff with full jitter: a random delay between zero and the exponential bound, so that requests
 * that failed together are not retried together.
 *
 * @param attempt 0 after the first failure
 * @param random a number in [0, 1)
 */
export function fullJitter(attempt: number, policy: RetryPolicy, random: () => number): number {
  return random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt);
}

/** The delay of a `Retry-After` header (seconds or HTTP date) in milliseconds; undefined without a valid one. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

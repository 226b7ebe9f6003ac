/** How long one request may be tried before it counts as unreachable. */
export interface Patience {
  /** Upper bound of the first wait; it doubles with each attempt. */
  baseMs: number;
  /** Upper bound of any wait the service did not ask for itself. */
  capMs: number;
  attempts: number;
  /** After so many answers of 500 that is the service's word; unless given, 500 may pass like any other 5xx. */
  faults?: number;
  /** No further attempt starts later than this after the first. */
  forMs: number;
}

/**
 * "Full jitter": anything between nothing and the exponential bound, so that requests which failed together
 * do not come back together.
 *
 * @param attempt 0 after the first failure
 * @param random a number in [0, 1)
 */
export function fullJitter(attempt: number, patience: Patience, random: () => number): number {
  return random() * Math.min(patience.capMs, patience.baseMs * 2 ** attempt);
}

/** The wait a `Retry-After` header asks for, in either of its forms (seconds, HTTP date); undefined without one. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

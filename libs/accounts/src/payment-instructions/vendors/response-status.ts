import { type Refused, refused, type Unavailable, unavailable } from './payment-vendor';

const MAX_RETRY_AFTER_MS = 86_400_000;

/** The failure that a status code alone proves, or undefined. */
export function failureOfStatus(
  status: number,
  retryAfter: string | undefined,
  now: Date,
): Unavailable | undefined {
  const delayMs = retryAfter === undefined ? undefined : retryDelayMs(retryAfter, now);
  if (status >= 300 && status < 400) return unavailable('vendor_redirected');
  if (status === 429) return unavailable('vendor_rate_limited', delayMs);
  if (status === 408 || status >= 500) return unavailable('vendor_error', delayMs);
  return undefined;
}

/**
 * The outcome of a status of 400 or above that is not a failure of the vendor. Both vendors send an `error` member. A
 * body without it comes from another server such as a proxy, whose 404 says nothing about the instruction.
 */
export function refusalOfStatus(status: number, body: object | undefined): Refused | Unavailable {
  if (!body || !('error' in body)) return unavailable('vendor_answer_invalid');
  if (status === 404) return refused('instruction_not_found');
  if (status === 401 || status === 403) return refused('vendor_access_denied');
  return refused('vendor_refused');
}

/** Converts `Retry-After`, a number of seconds or a date, to milliseconds from now. */
function retryDelayMs(retryAfter: string, now: Date): number | undefined {
  const delayMs = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), MAX_RETRY_AFTER_MS);
}

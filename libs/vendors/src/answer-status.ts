import { type Refused, refused, type Unavailable, unavailable } from './payment-vendor';

const LONGEST_WAIT_MS = 86_400_000;

/** The failure that a status stands for whatever the body says, if it stands for one. */
export function failureByStatus(
  status: number,
  retryAfter: string | undefined,
  now: Date,
): Unavailable | undefined {
  const wait = retryAfter === undefined ? undefined : waitOf(retryAfter, now);
  if (status >= 300 && status < 400) return unavailable('vendor_redirected');
  if (status === 429) return unavailable('vendor_rate_limited', wait);
  if (status === 408 || status >= 500) return unavailable('vendor_error', wait);
  return undefined;
}

/**
 * What the vendor means by a status of 400 and above that is not its own failure. Both vendors send an `error` along;
 * without it somebody else has answered, such as a proxy, whose 404 says nothing about the instruction.
 */
export function refusalByStatus(status: number, body: object | undefined): Refused | Unavailable {
  if (!body || !('error' in body)) return unavailable('vendor_answer_invalid');
  if (status === 404) return refused('instruction_not_found');
  if (status === 401 || status === 403) return refused('vendor_access_denied');
  return refused('vendor_refused');
}

/** `Retry-After` as milliseconds from now: it is a number of seconds or a date. */
function waitOf(retryAfter: string, now: Date): number | undefined {
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}

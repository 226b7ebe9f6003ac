const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after the first and further failed attempts, as the Standard Webhooks specification recommends. */
const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** How much a pause may differ, so that endpoints of one receiver are not tried together after its outage. */
const JITTER = 0.1;

/** Time for which an event is tried. */
export const MAX_FAILING_MS = 72 * HOUR_MS;

/**
 * The time of the next attempt after failed ones; undefined if the event has been tried for 3 days. The last attempt is
 * made at the end of the 3 days.
 *
 * @param attempts failed attempts of the event, at least 1
 * @param failingSince the time of the first of them
 * @param random from 0 to 1
 */
export function nextAttemptAt(
  attempts: number,
  failingSince: Date,
  now: Date,
  random: number,
): Date | undefined {
  const end = failingSince.getTime() + MAX_FAILING_MS;
  if (now.getTime() >= end) return undefined;
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? SECOND_MS;
  return new Date(Math.min(end, now.getTime() + pauseMs * (1 - JITTER + 2 * JITTER * random)));
}

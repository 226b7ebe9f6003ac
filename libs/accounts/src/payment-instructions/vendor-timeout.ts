import { maxTotalBackoffMs, type QueueSettings } from '@portage/platform';

/** Time that is reserved for storing, enqueueing and announcing. */
const OVERHEAD_MS = 1_000;

/** A shorter timeout gives no vendor a fair chance to answer. */
const MIN_TIMEOUT_MS = 1_000;

/**
 * Computes the timeout of one call to a vendor in milliseconds, so that all attempts and the pauses between them fit
 * into the time that a client waits. The vendor's own timeout may be shorter.
 */
export function vendorTimeoutMs(outcomeWaitMs: number, settings: QueueSettings): number {
  const availableMs = outcomeWaitMs - OVERHEAD_MS - maxTotalBackoffMs(settings);
  return Math.max(MIN_TIMEOUT_MS, Math.floor(availableMs / settings.attempts));
}

/** True if a client that has waited for `waitedMs` still receives the outcome of an attempt after a pause. */
export function isInTime(
  pauseMs: number,
  waitedMs: number,
  { outcomeWaitMs, timeoutMs }: { outcomeWaitMs: number; timeoutMs: number },
): boolean {
  return waitedMs + pauseMs + timeoutMs + OVERHEAD_MS <= outcomeWaitMs;
}

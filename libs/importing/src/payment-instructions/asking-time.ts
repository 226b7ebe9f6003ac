import { longestPauses, type QueueSettings } from '@portage/queues';

/** Left for everything but the vendor: storing, enqueueing, announcing. */
const OWN_WORK_MS = 1_000;

/** Less than this is no fair chance for any vendor. */
const LEAST_MS = 1_000;

/**
 * How long a vendor has for one answer: so long that all attempts and the pauses between them fit into the time that
 * a client waits (DESIGN 4). The vendor's own limit may be shorter.
 */
export function askingTime(outcomeWaitMs: number, settings: QueueSettings): number {
  const forVendor = outcomeWaitMs - OWN_WORK_MS - longestPauses(settings);
  return Math.max(LEAST_MS, Math.floor(forVendor / settings.attempts));
}

/** Whether a client that has waited for `waitedMs` still hears of an attempt that comes after a pause. */
export function fits(
  pauseMs: number,
  waitedMs: number,
  { outcomeWaitMs, askingMs }: { outcomeWaitMs: number; askingMs: number },
): boolean {
  return waitedMs + pauseMs + askingMs + OWN_WORK_MS <= outcomeWaitMs;
}

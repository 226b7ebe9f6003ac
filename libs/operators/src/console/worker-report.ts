import type { BreakerState } from '@portage/accounts';

/** How often a worker reports. */
export const HEARTBEAT_INTERVAL_MS = 15_000;

/** A worker is alive if it has reported within this time: two reports may be late or lost. */
export const ALIVE_SECONDS = 45;

/** What a worker reports about itself. It is stored as JSON, so it has only additions from release to release. */
export interface WorkerReport {
  queues: { queue: string; active: number; is_consuming: boolean }[];
  vendors: {
    name: string;
    is_configured: boolean;
    breaker: BreakerState;
    since: string | null;
  }[];
}

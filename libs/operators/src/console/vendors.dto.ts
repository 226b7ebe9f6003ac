/** The outcomes of one minute. */
export interface VendorMinuteView {
  /** The beginning of the minute. */
  at: string;
  verified: number;
  refused: number;
  unavailable: number;
}

/** The breaker of a vendor in one worker. */
export interface BreakerOfWorker {
  id: string;
  breaker: 'closed' | 'open' | 'half-open';
  since: string | null;
}

/** A vendor, as the workers that are alive see it. */
export interface VendorView {
  name: string;
  breaker: 'closed' | 'open' | 'half-open' | 'not_configured' | 'unknown';
  since: string | null;
  /** The oldest of the reports that these figures are from. Each worker reports every 15 seconds. */
  reported_at: string | null;
  /** The breaker of each worker that is alive: breakers are not shared. */
  workers: BreakerOfWorker[];
  /** Outcomes of the last 60 minutes, without minutes that have none, the oldest first. A worker that stopped takes its minutes with it. */
  outcomes: VendorMinuteView[];
}

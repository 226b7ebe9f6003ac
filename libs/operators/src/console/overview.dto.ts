import { SubmissionSummaryView } from './submissions.dto';
import { SupplierSummaryView } from './suppliers.dto';

/** The state of something that the service depends on. */
export interface ComponentView {
  status: 'ok' | 'down';
  /** Why it is down, or what limits it. */
  detail: string | null;
  /** When it was asked: up to ten seconds ago. */
  checked_at: string;
}

/** The circuit breaker of a vendor. */
export interface VendorBreakerView {
  name: string;
  /**
   * The worst state among the workers that are alive. `not_configured`: no worker has a key. `unknown`: no worker has
   * reported.
   */
  breaker: 'closed' | 'open' | 'half-open' | 'not_configured' | 'unknown';
  /** Since when the breaker is not closed. */
  since: string | null;
}

/** A worker, and when it has reported. */
export interface WorkerSeenView {
  id: string;
  last_seen_at: string;
}

/** The workers that have reported. */
export interface WorkersSeen {
  /** Workers that have reported within the last 45 seconds. */
  alive: number;
  seen: WorkerSeenView[];
}

/** The state of everything that the service depends on. */
export interface HealthView {
  database: ComponentView;
  queues: ComponentView;
  document_store: ComponentView;
  vendors: VendorBreakerView[];
  workers: WorkersSeen;
}

/** All suppliers at a glance. */
export interface OverviewView {
  generated_at: string;
  /** At most 200, by code; GET /suppliers has all of them. */
  suppliers: SupplierSummaryView[];
  /** At most 50, the newest first. */
  submissions_in_progress: SubmissionSummaryView[];
  health: HealthView;
}

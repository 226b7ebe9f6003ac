import { type QueueName } from '@portage/platform';

/** A queue and how much waits in it. */
export interface QueueView {
  name: QueueName;
  backend: 'redis' | 'postgres';
  /** Jobs. A job of `account-imports` has up to 64 accounts. */
  waiting: number;
  /**
   * Accounts that wait: for a worker, for their schedule window, or for a paused supplier. Null for queues other than
   * `account-imports`.
   */
  waiting_accounts: number | null;
  active: number;
  delayed: number;
  prioritized: number;
  failed: number;
  paused: boolean;
  /** When the job became due that waits longest among the next ones. Null while none is due. */
  oldest_waiting_at: string | null;
  /** Jobs that were completed in a second, over the last ten; 0 if none was. */
  rate_per_second: number;
}

/** What a worker does with one queue. */
export interface WorkerConsumptionView {
  queue: string;
  active: number;
  is_consuming: boolean;
}

/** A worker and its queues. */
export interface WorkerView {
  id: string;
  host: string;
  release: string;
  started_at: string;
  last_seen_at: string;
  /** True if it has reported within the last 45 seconds. */
  is_alive: boolean;
  queues: WorkerConsumptionView[];
}

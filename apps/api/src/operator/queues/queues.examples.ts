/** An example of `Queue`. */
export const exampleQueue = {
  name: 'account-imports',
  backend: 'postgres',
  waiting: 142,
  waiting_accounts: 9120,
  active: 4,
  delayed: 0,
  prioritized: 0,
  failed: 0,
  completed: 1000,
  paused: false,
  oldest_waiting_at: '2026-11-21T09:30:00.123Z',
  rate_per_second: 2.9,
  retries: 0,
  board_url: '/queues/queue/account-imports',
};

/** An example of `WorkerConsumption`. */
const exampleWorkerConsumption = { queue: 'account-imports', active: 4, is_consuming: true, retries: 0 };

/** An example of `Worker`. */
export const exampleWorker = {
  id: '5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11',
  host: 'worker-0',
  release: '1.0.0',
  started_at: '2026-11-21T08:00:00.000Z',
  last_seen_at: '2026-11-21T09:41:05.120Z',
  is_alive: true,
  queues: [exampleWorkerConsumption],
};

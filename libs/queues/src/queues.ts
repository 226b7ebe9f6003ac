import type { Job } from 'bullmq';
import type { QueueName } from './job-contract';
import type { BackendKind, ConfiguredQueue, QueueConnection } from './queue-adapter';
import { withTimeout } from './with-timeout';

/** Maximum time that the readiness check waits for the queue. */
const REACHABLE_TIMEOUT_MS = 1_000;

/** All queues of the application by name, for code that works on more than one of them. */
export class Queues {
  readonly backend: BackendKind;
  private readonly byName: ReadonlyMap<string, ConfiguredQueue>;

  constructor(
    private readonly connection: QueueConnection,
    queues: readonly ConfiguredQueue[],
  ) {
    this.backend = connection.kind;
    this.byName = new Map(queues.map((queue) => [queue.name, queue]));
  }

  /** The queue of this name, for adding and inspecting jobs. Commands fail at once while Redis is unreachable. */
  get(name: QueueName): ConfiguredQueue {
    const queue = this.byName.get(name);
    if (!queue) throw new RangeError(`QueuesModule has not registered the queue ${name}.`);
    return queue;
  }

  /** The job that has waited longest; undefined if none waits. */
  async nextWaiting(name: QueueName): Promise<Job | undefined> {
    const queue = this.get(name);
    const { pool } = this.connection;
    if (!pool) return (await queue.getJobs(['waiting'], 0, 0, true))[0];
    // BullMQ orders jobs from the newest on PostgreSQL, so it would count all jobs to find the oldest.
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM job WHERE queue = $1 AND state = 'waiting' AND priority = 0 ORDER BY seq LIMIT 1`,
      [name],
    );
    return rows[0] && queue.getJob(rows[0].id);
  }

  /** True if the backend answers within a second. */
  async isReachable(): Promise<boolean> {
    try {
      await withTimeout(REACHABLE_TIMEOUT_MS, this.get('account-imports').getJobCounts('active'));
      return true;
    } catch {
      return false;
    }
  }
}

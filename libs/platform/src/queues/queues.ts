import type { Job } from 'bullmq';
import { queryRows } from '../connections/row-objects';
import { COMPLETED_JOBS, QUEUE_NAMES, type QueueName } from './job-contract';
import type { BackendKind, ConfiguredQueue, QueueConnection } from './queue-adapter';
import { withTimeout } from '../values/with-timeout';

/** Maximum time that the readiness check waits for the queue. */
const REACHABLE_TIMEOUT_MS = 1_000;

/** Jobs among which {@link Queues.nextWaiting} finds the one that has waited longest. */
const NEXT_COUNT = 10;

/** The time over which {@link Queues.completedPerSecond} measures. */
const RATE_SECONDS = 10;

/** Completed jobs that one statement removes. */
const REMOVED_AT_ONCE = 1_000;

/** BullMQ stores a priority in the score of a sorted set, multiplied by this. */
const PRIORITY_SCORE = 2 ** 32;

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

  /** The job that has waited longest among the next ones that a worker takes; undefined if none waits. */
  async nextWaiting(name: QueueName): Promise<Job | undefined> {
    const queue = this.get(name);
    const { pool } = this.connection;
    if (!pool) {
      // With both states in one call BullMQ does not return the first jobs of each.
      const next = await Promise.all([
        queue.getJobs(['waiting'], 0, 0, true),
        queue.getJobs(['prioritized'], 0, NEXT_COUNT - 1, true),
      ]);
      return next.flat().toSorted((left, right) => left.timestamp - right.timestamp)[0];
    }
    // BullMQ orders jobs from the newest on PostgreSQL, so it would count all jobs to find the oldest.
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM (
         SELECT id, seq FROM job WHERE queue = $1 AND state = 'waiting' ORDER BY priority, seq LIMIT $2
       ) next ORDER BY seq LIMIT 1`,
      [name, NEXT_COUNT],
    );
    return rows[0] && queue.getJob(rows[0].id);
  }

  /** The number of jobs that a worker could take now. */
  async countWaiting(name: QueueName): Promise<number> {
    const counts = await this.get(name).getJobCounts('waiting', 'prioritized');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  /** Jobs that were completed in a second, over the last ten: 0 if none was. Over less while more end than are retained. */
  async completedPerSecond(name: QueueName): Promise<number> {
    const { pool, redis } = this.connection;
    const since = Date.now() - RATE_SECONDS * 1_000;
    if (pool) {
      const [row] = await queryRows<{ count: number }>(
        pool,
        `SELECT count(*)::int AS count FROM job WHERE queue = $1 AND state = 'completed' AND finished_at_ms > $2`,
        [name, since],
      );
      return (row?.count ?? 0) / RATE_SECONDS;
    }
    if (!redis) throw new RangeError('The queue has neither a pool nor a Redis connection.');
    const key = this.get(name).toKey('completed');
    const count = await redis.zcount(key, `(${since}`, '+inf');
    if (count < COMPLETED_JOBS.count) return count / RATE_SECONDS;
    const [, oldest] = await redis.zrange(key, 0, 0, 'WITHSCORES');
    return count / Math.max(1, (Date.now() - Number(oldest)) / 1_000);
  }

  /** The round that the queue has reached ({@link FairShares}); undefined if no job with a round waits. */
  async currentRound(name: QueueName): Promise<number | undefined> {
    const { pool, redis } = this.connection;
    if (pool) {
      const { rows } = await pool.query<{ priority: number }>(
        `SELECT priority FROM job
         WHERE queue = $1 AND state = 'waiting' AND priority > 0 ORDER BY priority, seq LIMIT 1`,
        [name],
      );
      return rows[0]?.priority;
    }
    if (!redis) throw new RangeError('The queue has neither a pool nor a Redis connection.');
    const [, score] = await redis.zrange(this.get(name).toKey('prioritized'), 0, 0, 'WITHSCORES');
    return score === undefined ? undefined : Math.floor(Number(score) / PRIORITY_SCORE);
  }

  /**
   * Removes the completed jobs beyond {@link COMPLETED_JOBS} on PostgreSQL. Redis removes them as jobs end.
   *
   * @returns the number of jobs that were removed
   */
  async removeCompleted(now: Date): Promise<number> {
    const { pool } = this.connection;
    if (!pool) return 0;
    let count = 0;
    for (const name of QUEUE_NAMES) {
      const [last] = await queryRows<{ finishedAtMs: string }>(
        pool,
        `SELECT finished_at_ms FROM job WHERE queue = $1 AND state = 'completed'
         ORDER BY finished_at_ms DESC OFFSET $2 LIMIT 1`,
        [name, COMPLETED_JOBS.count],
      );
      const oldest = Math.max(
        now.getTime() - COMPLETED_JOBS.ageSeconds * 1_000,
        Number(last?.finishedAtMs ?? 0),
      );
      // Stretches, so that no statement holds many locks.
      for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; count += removed)
        removed = (await this.get(name).clean(Date.now() - oldest, REMOVED_AT_ONCE, 'completed')).length;
    }
    return count;
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

import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import { Logger, Metrics, JobCorrelation, Tracing } from '@portage/observability';
import type { AnyJob, QueueName } from './job-contract';
import { QueueBackend, withTimeout } from './queue-backend';

/** After a failure the queue is left alone for so long, lest every request waits for it in vain. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** PostgreSQL commits one notification at a time, so jobs that are added together cost as much as one. */
const MOST_JOBS_A_BATCH = 500;

/**
 * Puts jobs into queues, after what they are about has been committed. A job that cannot be added is no error: the
 * row is the truth and the sweeper adds the job again.
 */
@Injectable()
export class JobProducer {
  private pausedUntil = 0;
  private readonly batches = new Map<QueueName, Batcher<AnyJob, void>>();

  constructor(
    private readonly backend: QueueBackend,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Adds jobs, together with those of other callers that come meanwhile, or gives up: at the latest after twice
   * ENQUEUE_TIMEOUT_MS. Never throws.
   *
   * @returns whether the jobs are known to be in the queue
   */
  async add(queue: QueueName, jobs: readonly AnyJob[]): Promise<boolean> {
    JobCorrelation.note(jobs[0]?.id);
    if (performance.now() < this.pausedUntil) return this.gaveUp(queue, jobs.length);
    try {
      await this.tracing.part(`enqueue ${queue}`, { kind: 'producer', attributes: { queue } }, async () => {
        const batches = this.batchesOf(queue);
        const { traceparent } = this.tracing;
        await Promise.all(jobs.map((job) => batches.add(traceparent ? { ...job, traceparent } : job)));
      });
      return true;
    } catch (error) {
      this.pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
      this.logger.warning('The queue does not answer. The sweeper will enqueue what is waiting.', {
        queue,
        error,
      });
      return this.gaveUp(queue, jobs.length);
    }
  }

  /**
   * Adds those of the jobs that are not in the queue any more; a finished job of the same id makes room first.
   *
   * @returns how many were missing
   * @throws when the queue cannot be reached
   */
  async addMissing(queue: QueueName, jobs: readonly AnyJob[]): Promise<number> {
    const target = this.backend.queue(queue);
    const states = await Promise.all(
      jobs.map((job) => withTimeout(this.config.ENQUEUE_TIMEOUT_MS * 10, target.getJobState(job.id))),
    );
    const missing: AnyJob[] = [];
    for (const [index, job] of jobs.entries()) {
      const state = states[index];
      if (state === 'completed' || state === 'failed') await target.remove(job.id);
      if (state === 'completed' || state === 'failed' || state === 'unknown') missing.push(job);
    }
    if (missing.length > 0) await withTimeout(this.config.ENQUEUE_TIMEOUT_MS * 10, this.send(queue, missing));
    return missing.length;
  }

  /** Jobs that are waiting or being worked on. */
  async depth(queue: QueueName): Promise<number> {
    const counts = await withTimeout(
      this.config.ENQUEUE_TIMEOUT_MS * 10,
      this.backend.queue(queue).getJobCounts('waiting', 'active', 'prioritized'),
    );
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  private batchesOf(queue: QueueName): Batcher<AnyJob, void> {
    const existing = this.batches.get(queue);
    if (existing) return existing;
    // A send that hangs must not keep those waiting that come after it.
    const send = async (jobs: readonly AnyJob[]) => {
      await withTimeout(this.config.ENQUEUE_TIMEOUT_MS, this.send(queue, jobs));
      return [];
    };
    const batches = new Batcher<AnyJob, void>(send, { maxSize: MOST_JOBS_A_BATCH });
    this.batches.set(queue, batches);
    return batches;
  }

  private async send(queue: QueueName, jobs: readonly AnyJob[]): Promise<void> {
    await this.backend.queue(queue).addBulk(
      jobs.map(({ id, name, payload, delay, traceparent }) => ({
        name,
        data: traceparent ? { ...payload, traceparent } : payload,
        opts: { jobId: id, ...(delay ? { delay } : {}) },
      })),
    );
  }

  private gaveUp(queue: QueueName, count: number): false {
    this.metrics.enqueueFailures.inc({ queue }, count);
    return false;
  }
}

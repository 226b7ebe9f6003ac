import { Injectable } from '@nestjs/common';
import { Metrics, noTracing, Tracing } from '@portage/observability';
import { QUEUE_NAMES, type QueueName } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { thrownCode } from './failure-code';

/** What this worker has in hand of one queue. */
interface ActiveJobs {
  /** When each job that has not ended was taken, by the monotonic clock. */
  readonly takenAt: Map<Job, number>;
  /** Jobs taken so far. */
  taken: number;
}

/** Knows which jobs are in hand since when, and measures how each of them ends. */
@Injectable()
export class JobWatch {
  private readonly hands = Object.fromEntries(
    QUEUE_NAMES.map((queue) => [queue, { takenAt: new Map(), taken: 0 }]),
  ) as unknown as Readonly<Record<QueueName, ActiveJobs>>;

  constructor(
    private readonly metrics: Metrics,
    private readonly tracing: Tracing = noTracing,
  ) {}

  activeJobs(queue: QueueName): Readonly<ActiveJobs> {
    return this.hands[queue];
  }

  /** Does what `work` does, and throws what it throws. */
  async over(queue: QueueName, job: Job, work: () => Promise<void>): Promise<void> {
    const hand = this.hands[queue];
    const start = performance.now();
    hand.taken += 1;
    hand.takenAt.set(job, start);
    let outcome = 'failed';
    try {
      await this.tracing.over(
        `process ${queue}`,
        { kind: 'consumer', parent: traceparent(job), attributes: { queue, attempt: job.attemptsMade + 1 } },
        work,
      );
      outcome = 'completed';
    } catch (error) {
      this.failed(queue, job, error);
      throw error;
    } finally {
      hand.takenAt.delete(job);
      this.metrics.jobDuration.observe({ queue, outcome }, (performance.now() - start) / 1_000);
    }
  }

  private failed(queue: QueueName, job: Job, error: unknown): void {
    this.metrics.jobFailures.inc({ queue, code: thrownCode(error) });
    const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
    if (!isLast && !(error instanceof UnrecoverableError)) this.metrics.jobRetries.inc({ queue });
  }
}

function traceparent({ data }: Job): string | undefined {
  const { traceparent: given } = (data ?? {}) as { traceparent?: unknown };
  return typeof given === 'string' ? given : undefined;
}

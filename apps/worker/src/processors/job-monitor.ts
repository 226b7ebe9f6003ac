import { Injectable } from '@nestjs/common';
import { Metrics, noTracing, QUEUE_NAMES, type QueueName, Tracing } from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { AWAITED, thrownCode } from './job-attempt';

/** The jobs of one queue that this worker is processing. */
interface ActiveJobs {
  /** Time at which each active job was taken, on the monotonic clock. */
  readonly takenAt: Map<Job, number>;
  /** Jobs taken since the start. */
  takenCount: number;
}

/** Records which jobs are active and since when; measures and traces each of them. */
@Injectable()
export class JobMonitor {
  private readonly byQueue = Object.fromEntries(
    QUEUE_NAMES.map((queue) => [queue, { takenAt: new Map(), takenCount: 0 }]),
  ) as unknown as Readonly<Record<QueueName, ActiveJobs>>;

  constructor(
    private readonly metrics: Metrics,
    private readonly tracing: Tracing = noTracing,
  ) {}

  /** The jobs of the queue that this worker is processing now, and the count of jobs that it has taken. */
  activeJobs(queue: QueueName): Readonly<ActiveJobs> {
    return this.byQueue[queue];
  }

  /** Runs `process` as an attempt of the job. Settles as `process` does. */
  async run<T>(job: Job, process: () => Promise<T>): Promise<T> {
    const queue = job.queueName as QueueName;
    const active = this.byQueue[queue];
    const start = performance.now();
    active.takenCount += 1;
    active.takenAt.set(job, start);
    let outcome = 'failed';
    try {
      const result = await this.tracing.inSpan(
        `process ${queue}`,
        {
          kind: 'consumer',
          parent: traceparentOf(job),
          attributes: { queue, attempt: job.attemptsMade + 1 },
        },
        process,
      );
      outcome = 'completed';
      return result;
    } catch (error) {
      if (this.countFailure(queue, job, error) === AWAITED) outcome = 'awaited';
      throw error;
    } finally {
      active.takenAt.delete(job);
      this.metrics.jobDuration.observe({ queue, outcome }, (performance.now() - start) / 1_000);
    }
  }

  /** Counts a job once, however many of its attempts fail. */
  private countFailure(queue: QueueName, job: Job, error: unknown): string | undefined {
    const code = thrownCode(error);
    const willRetry = isRetried(job, error);
    if (willRetry) {
      this.metrics.jobRetries.inc({ queue });
      if (code === AWAITED) return AWAITED;
    }
    // The queue stores the code of the attempt before.
    if (job.attemptsMade === 0 || job.failedReason === AWAITED) this.metrics.jobFailures.inc({ queue, code });
    return undefined;
  }
}

/** True if the queue retries a job after this error of its current attempt. */
function isRetried(job: Job, error: unknown): boolean {
  const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
  return !isLast && !(error instanceof UnrecoverableError);
}

function traceparentOf({ data }: Job): string | undefined {
  const { traceparent } = (data ?? {}) as { traceparent?: unknown };
  return typeof traceparent === 'string' ? traceparent : undefined;
}

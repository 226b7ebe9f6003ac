import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Metrics } from '@portage/observability';
import type { Job } from 'bullmq';
import { QUEUE_NAMES, type QueueName } from './job-contract';
import { QueueBackend, withTimeout } from './queue-backend';
import { queueSettings } from './queue-settings';

interface Depth {
  queue: QueueName;
  counts: Record<string, number>;
  waitingSince: number | undefined;
}

/** Looks how much there is in the queues, when somebody asks for the metrics. */
@Injectable()
export class QueueDepth {
  private reading: Promise<Depth[]> | undefined;

  constructor(
    private readonly backend: QueueBackend,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Brings the gauges up to date. Never fails, and takes METRICS_TIMEOUT_MS at most. While the queue is away they are
   * empty rather than out of date.
   */
  async observe(): Promise<void> {
    // A scrape must not ask again while the last one's questions are still before the queue.
    this.reading ??= Promise.all(QUEUE_NAMES.map(async (queue) => this.read(queue))).finally(() => {
      this.reading = undefined;
    });
    // Readiness says that the queue is away; a scrape must not fail for it.
    const found = await withTimeout(this.config.METRICS_TIMEOUT_MS, this.reading).catch(() => []);
    const { queueDepth, oldestWaiting } = this.metrics;
    queueDepth.reset();
    oldestWaiting.reset();
    for (const { queue, counts, waitingSince } of found) {
      for (const [state, count] of Object.entries(counts)) queueDepth.set({ queue, state }, count);
      const seconds = waitingSince === undefined ? 0 : (Date.now() - waitingSince) / 1_000;
      oldestWaiting.set({ queue }, Math.max(0, seconds));
    }
  }

  /**
   * Since when the job that is next has waited, in milliseconds since 1970; undefined while none waits.
   *
   * @throws when the queue cannot be reached
   */
  async waitingSince(queue: QueueName): Promise<number | undefined> {
    const limit = this.config.ENQUEUE_TIMEOUT_MS * 10;
    const next = await withTimeout(limit, this.backend.nextWaiting(queue));
    return next && dueSince(queue, next);
  }

  private async read(queue: QueueName): Promise<Depth> {
    const [counts, next] = await Promise.all([
      this.backend.queue(queue).getJobCounts(),
      this.backend.nextWaiting(queue),
    ]);
    return { queue, counts, waitingSince: next && dueSince(queue, next) };
  }
}

/** The time before a job was due is no waiting: a schedule window that was yet to open, a pause before it is tried again. */
function dueSince(queue: QueueName, { timestamp, processedOn, attemptsMade, opts }: Job): number {
  if (processedOn === undefined) return timestamp + (opts.delay ?? 0);
  return processedOn + queueSettings[queue].backoffMilliseconds * 2 ** Math.max(0, attemptsMade - 1);
}

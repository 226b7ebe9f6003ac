import { Injectable, Optional } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Metrics } from '../observability/metrics';
import { QUEUE_NAMES, type QueueName, queueSettings } from './job-contract';
import { BACKGROUND_TIMEOUT_MS } from './job-producer';
import { Queues } from './queues';
import { SCRAPE_TIMEOUT_MS, ScrapedRead } from './scraped-read';
import { withTimeout } from '../values/with-timeout';

interface Depth {
  queue: QueueName;
  counts: Record<string, number>;
  isPaused: boolean;
  waitingSince: number | undefined;
}

/** Measures the depth of all queues when the metrics are scraped. */
@Injectable()
export class QueueDepth {
  private readonly scraped: ScrapedRead<Depth[]>;

  constructor(
    private readonly queues: Queues,
    private readonly metrics: Metrics,
    @Optional() scrapeTimeoutMs: number = SCRAPE_TIMEOUT_MS,
  ) {
    const read = async () => Promise.all(QUEUE_NAMES.map(async (queue) => this.read(queue)));
    this.scraped = new ScrapedRead(read, scrapeTimeoutMs);
  }

  /**
   * Updates the gauges. Never fails, and takes {@link SCRAPE_TIMEOUT_MS} at most. While the queue is unreachable the
   * gauges are empty rather than out of date. The jobs of a paused queue have no age: more workers would not take them.
   */
  async observe(): Promise<void> {
    // The readiness check reports an unreachable queue; the scrape has to succeed.
    const depths = await this.scraped.join().catch(() => []);
    const { queueDepth, queuePaused, oldestWaiting } = this.metrics;
    queueDepth.reset();
    queuePaused.reset();
    oldestWaiting.reset();
    for (const { queue, counts, isPaused, waitingSince } of depths) {
      queuePaused.set({ queue }, isPaused ? 1 : 0);
      for (const [state, count] of Object.entries(counts)) queueDepth.set({ queue, state }, count);
      const seconds = waitingSince === undefined ? 0 : (Date.now() - waitingSince) / 1_000;
      oldestWaiting.set({ queue }, Math.max(0, seconds));
    }
  }

  /**
   * The time since which the next job of the queue has waited, in milliseconds since 1970; undefined if none waits.
   *
   * @throws if the queue cannot be reached
   */
  async waitingSince(queue: QueueName): Promise<number | undefined> {
    const next = await withTimeout(BACKGROUND_TIMEOUT_MS, this.queues.nextWaiting(queue));
    return next && dueSince(queue, next);
  }

  private async read(queue: QueueName): Promise<Depth> {
    const [counts, next, isPaused] = await Promise.all([
      this.queues.get(queue).getJobCounts(),
      this.queues.nextWaiting(queue),
      this.queues.get(queue).isPaused(),
    ]);
    return { queue, counts, isPaused, waitingSince: isPaused ? undefined : next && dueSince(queue, next) };
  }
}

/** Excludes the time before the job was due: before its schedule window opened, or the pause before a retry. */
function dueSince(queue: QueueName, { timestamp, processedOn, attemptsMade, opts }: Job): number {
  if (processedOn === undefined) return timestamp + (opts.delay ?? 0);
  return processedOn + queueSettings[queue].initialBackoffMs * 2 ** Math.max(0, attemptsMade - 1);
}

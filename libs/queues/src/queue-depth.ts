import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Metrics } from '@portage/observability';
import { QUEUE_NAMES } from './job-contract';
import { QueueBackend, within } from './queue-backend';

/** Counts the jobs of every queue when somebody asks for the metrics. */
@Injectable()
export class QueueDepth {
  constructor(
    private readonly backend: QueueBackend,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Brings the gauge up to date. While the queue is away the gauge is empty rather than out of date. */
  async observe(): Promise<void> {
    this.metrics.queueDepth.reset();
    for (const queue of QUEUE_NAMES) {
      try {
        const counts = await within(this.config.ENQUEUE_TIMEOUT_MS, this.backend.queue(queue).getJobCounts());
        for (const [state, count] of Object.entries(counts))
          this.metrics.queueDepth.set({ queue, state }, count);
      } catch {
        // Readiness says that the queue is away; a scrape must not fail for it.
      }
    }
  }
}

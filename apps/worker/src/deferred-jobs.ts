import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Logger, QUEUE_NAMES, Queues } from '@portage/platform';

const INTERVAL_MS = 1_000;

/** Deferred jobs of each queue that one worker promotes in a second, at most. */
const MAX_PROMOTED = 100;

/**
 * Promotes deferred jobs that are due. They wait behind all other jobs of their queue; without this they would never
 * start while other jobs are added without end.
 */
@Injectable()
export class DeferredJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;

  constructor(
    private readonly queues: Queues,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.promote(), INTERVAL_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Promotes the next deferred jobs of each queue. Never fails. */
  async promote(): Promise<void> {
    // A slow queue is not asked again before it has answered.
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (const queue of QUEUE_NAMES) await this.queues.promoteDeferred(queue, MAX_PROMOTED);
    } catch (error) {
      this.logger.debug('Deferred jobs could not be promoted. The next attempt follows.', { error });
    } finally {
      this.isRunning = false;
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';

/**
 * A clean stop (DESIGN 3, promise 6). After SIGTERM the API first says that it is not ready and closes each
 * connection with its answer, so that clients leave by themselves; only then does the server close, finishing what
 * it has in hand.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  hasStarted = false;

  constructor(
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (!signal) return;
    this.hasStarted = true;
    this.logger.info('Stopping: finishing the requests in hand.', { signal });
    setTimeout(() => {
      this.logger.failure('Requests were still running when time was up.');
      process.exit(1);
    }, this.config.SHUTDOWN_GRACE_MS + this.config.DRAIN_TIMEOUT_MS).unref();
    await sleep(this.config.SHUTDOWN_GRACE_MS);
  }
}

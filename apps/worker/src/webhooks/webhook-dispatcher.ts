import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DispatchWebhooks } from '@portage/importing';
import { Logger } from '@portage/observability';

/** Pause between two looks for endpoints that are due: one statement, which finds nothing while there are no endpoints. */
const INTERVAL_MS = 1_000;

/** Pause after the database could not be reached. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** Delivers events to webhook endpoints, on a timer of the process as {@link Sweeper}. */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dispatch: DispatchWebhooks,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Waits for the attempts in flight, which take 10 seconds at most. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let pauseMs = INTERVAL_MS;
      try {
        await this.dispatch.start(signal);
      } catch (error) {
        pauseMs = PAUSE_AFTER_FAILURE_MS;
        this.logger.warning('Webhook endpoints could not be claimed. The next look repeats it.', { error });
      }
      // The pause is random, so that workers that started together do not look together.
      await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
    await this.dispatch.drain();
  }
}

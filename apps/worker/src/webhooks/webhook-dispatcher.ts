import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DispatchWebhooks } from '@portage/events';
import { Logger, RepeatedWork } from '@portage/platform';

/** Pause between two looks for endpoints that are due: one statement, which finds nothing while there are no endpoints. */
const INTERVAL_MS = 1_000;

/** Pause after the database could not be reached. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** Delivers events to webhook endpoints, on a timer of the process as {@link Sweeper}. */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looks = new RepeatedWork();

  constructor(
    private readonly dispatch: DispatchWebhooks,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.looks.start(async (signal) => this.look(signal));
  }

  /** Waits for the attempts in flight, which take 10 seconds at most. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
    await this.dispatch.drain();
  }

  private async look(signal: AbortSignal): Promise<number> {
    try {
      await this.dispatch.start(signal);
      return INTERVAL_MS;
    } catch (error) {
      this.logger.warn('Webhook endpoints could not be claimed. The next look repeats it.', { error });
      return PAUSE_AFTER_FAILURE_MS;
    }
  }
}

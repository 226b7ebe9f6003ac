import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, Logger } from '@portage/platform';
import { WebhookDispatchRepository } from './webhook-dispatch.repository';
import { LEASE_MS, ServeWebhookEndpoint } from './serve-webhook-endpoint';
import { WebhookSecrets } from './webhook-secrets';

/** Endpoints that a process serves at the same time. */
const MAX_SERVED = 16;

/** Endpoints of one organisation that all processes serve at the same time. */
const MAX_SERVED_OF_ORGANISATION = 4;

/** Of these, endpoints with one host. With the rate of an endpoint, this limits the requests that the host gets. */
const MAX_SERVED_OF_HOST = 2;

/** Serves the endpoints that have new events: several at the same time, each by one dispatcher. */
@Injectable()
export class DispatchWebhooks {
  private readonly served = new Set<Promise<void>>();

  constructor(
    private readonly dispatch: WebhookDispatchRepository,
    private readonly serving: ServeWebhookEndpoint,
    private readonly secrets: WebhookSecrets,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Starts to serve endpoints that are due, as many as there is room for, and returns at once.
   *
   * @param signal ends the turns of all endpoints after their attempts in flight
   * @returns the number of endpoints that were claimed
   */
  async start(signal: AbortSignal): Promise<number> {
    const limit = MAX_SERVED - this.served.size;
    // Without a key no endpoint could be created. If there are some, their lag shows that they are not served.
    if (limit === 0 || !this.secrets.isAvailable) return 0;
    const leaseToken = randomUUID();
    const claimed = await this.dispatch.claim(this.clock.now(), leaseToken, {
      limit,
      maxOfOrganisation: MAX_SERVED_OF_ORGANISATION,
      maxOfHost: MAX_SERVED_OF_HOST,
      leaseMs: LEASE_MS,
    });
    for (const endpoint of claimed) {
      const turn: Promise<void> = this.serving
        .serve({ endpoint, leaseToken }, signal)
        .catch((error: unknown) => {
          this.logger.warn('A webhook endpoint could not be served. The next turn repeats it.', {
            webhookEndpoint: endpoint.id,
            error,
          });
        })
        .finally(() => this.served.delete(turn));
      this.served.add(turn);
    }
    return claimed.length;
  }

  /** Waits until no endpoint is served. */
  async drain(): Promise<void> {
    await Promise.all(this.served);
  }
}

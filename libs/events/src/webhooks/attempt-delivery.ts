import { Injectable } from '@nestjs/common';
import type { StoredWebhookEndpoint } from './webhook-endpoint.repository';
import type { DeliveryError, WebhookChannel } from './webhook-sender';
import type { FeedEvent } from '../feed/feed-event';
import { buildRequest, signingSecrets } from './webhook-message';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSecrets } from './webhook-secrets';

/** The result of an attempt, as it is stored. */
export interface AttemptResult {
  /** HTTP status; null if there was no response. */
  status: number | null;
  /** Null after a delivery. */
  error: DeliveryError | 'secret_unreadable' | null;
  durationMs: number;
}

/** Makes one attempt to deliver an event, and counts it. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly metrics: WebhookMetrics,
  ) {}

  async attempt(
    channel: WebhookChannel,
    endpoint: StoredWebhookEndpoint,
    event: FeedEvent,
    now: Date,
  ): Promise<AttemptResult> {
    const secrets = signingSecrets(endpoint, this.secrets, now);
    const result: AttemptResult = secrets
      ? await channel.send(buildRequest(event, secrets, now))
      : { status: null, error: 'secret_unreadable', durationMs: 0 };
    this.count(result);
    return result;
  }

  private count({ status, error, durationMs }: AttemptResult): void {
    const outcome = error === null ? 'delivered' : 'failed';
    this.metrics.attempts.observe({ outcome }, durationMs / 1_000);
    if (error === null) return;
    // By class, because receivers choose their status.
    const code = status === null ? error : `http_${String(Math.floor(status / 100))}xx`;
    this.metrics.failures.inc({ code });
  }
}

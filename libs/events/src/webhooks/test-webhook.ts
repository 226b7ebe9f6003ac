import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AuditRepository,
  type Clock,
  CLOCK,
  Database,
  PortageError,
  type RateLimit,
  RateLimits,
} from '@portage/platform';
import { WebhookAttemptRepository } from './webhook-attempt.repository';
import { WEBHOOK_TEST_TYPE } from './webhook-endpoint';
import { DELIVERY_ERRORS, WebhookSender } from './webhook-sender';
import { type EndpointManager, WebhookEndpoints } from './webhook-endpoints';
import { buildRequest, signingSecrets } from './webhook-message';
import { WebhookSecrets } from './webhook-secrets';
import type { WebhookTestResult } from './webhooks.dto';

/** A test sends a request to a server that the supplier names, so they are few. */
const TESTS: RateLimit = {
  name: 'webhook-tests',
  maxUses: 10,
  seconds: 60,
  detail: 'Your organisation has sent too many tests of webhook endpoints.',
};

/** Sends one test event to an endpoint, at once and whatever its state is. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly attempts: WebhookAttemptRepository,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly limits: RateLimits,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws PortageError `not_found`, `unavailable`; Throttled */
  async send({ organisationId, actor }: EndpointManager, id: string): Promise<WebhookTestResult> {
    const endpoint = await this.endpoints.require(organisationId, id);
    if (organisationId !== undefined) await this.limits.take(TESTS, String(organisationId));
    const now = this.clock.now();
    const secrets = signingSecrets(endpoint, this.secrets, now);
    if (!secrets)
      throw new PortageError(
        'unavailable',
        'The secret of the endpoint cannot be read. Rotate it, and give the receiver the new one.',
      );
    const { supplier, url } = endpoint;
    const message = {
      id: `test_${randomUUID()}`,
      type: WEBHOOK_TEST_TYPE,
      timestamp: now.toISOString().replace('Z', '000+00:00'),
      data: { import_supplier: supplier, webhook_endpoint: id },
    };
    await this.audit.record(this.database, { actor, action: 'webhook.test', supplier, subject: id });
    const channel = this.sender.open(url);
    try {
      const { status, error, durationMs } = await channel.send(buildRequest(message, secrets, now));
      await this.attempts.insert(id, {
        eventId: message.id,
        eventType: message.type,
        number: 1,
        status,
        error,
        durationMs,
        occurredAt: now,
      });
      return {
        event_id: message.id,
        delivered: error === null,
        status,
        error: error === null ? null : { code: error, detail: DELIVERY_ERRORS[error] },
        duration_ms: durationMs,
      };
    } finally {
      channel.close();
    }
  }
}

import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AuditAction,
  AuditRepository,
  type Clock,
  CLOCK,
  CONFIG,
  type Config,
  Database,
  PortageError,
  type RateLimit,
  RateLimits,
} from '@portage/platform';
import { WebhookAttemptRepository } from './webhook-attempt.repository';
import { maxStoredAttempts, WEBHOOK_TEST_TYPE, WEBHOOK_VERIFICATION_TYPE } from './webhook-endpoint';
import { type StoredWebhookEndpoint, WebhookEndpointRepository } from './webhook-endpoint.repository';
import { type DeliveryResult, WebhookSender } from './webhook-sender';
import { type EndpointManager, WebhookEndpoints } from './webhook-endpoints';
import { buildRequest, signingSecrets, type WebhookMessage } from './webhook-message';
import { WebhookSecrets } from './webhook-secrets';
import {
  TEST_ERRORS,
  type WebhookTestErrorCode,
  type WebhookTestResult,
  type WebhookVerificationResult,
} from './webhooks.dto';

/** A test sends a request to a server that the supplier names, so they are few. */
const TESTS: RateLimit = {
  name: 'webhook-tests',
  maxUses: 10,
  seconds: 60,
  detail: 'Your organisation has sent too many tests and challenges to webhook endpoints.',
};

/** Bytes of an answer with a challenge, which has about 60. */
const MAX_ANSWER_BYTES = 4_096;

/** What is sent on demand: its type, its members beside the endpoint, and how its answer is judged. */
interface Demand {
  type: string;
  action: AuditAction;
  idPrefix: string;
  data: object;
  judge: (result: DeliveryResult) => WebhookTestErrorCode | null;
}

/** Sends one message to an endpoint at once, whatever its state is: a test event, or a challenge. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly repository: WebhookEndpointRepository,
    private readonly attempts: WebhookAttemptRepository,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly limits: RateLimits,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'QUOTA_WEBHOOK_ATTEMPTS'>,
  ) {}

  /**
   * Sends one test event.
   *
   * @throws PortageError `not_found`, `webhook_endpoint_not_verified`, `unavailable`; Throttled
   */
  async send(manager: EndpointManager, id: string): Promise<WebhookTestResult> {
    const endpoint = await this.endpoints.require(manager.organisationId, id);
    if (endpoint.verifiedAt === null)
      throw new PortageError(
        'webhook_endpoint_not_verified',
        'The receiver has not answered a challenge yet. Verify the endpoint first.',
      );
    const { event_id, status, error, duration_ms } = await this.request(manager, endpoint, {
      type: WEBHOOK_TEST_TYPE,
      action: 'webhook.test',
      idPrefix: 'test_',
      data: {},
      judge: (answer) => answer.error,
    });
    return { event_id, delivered: error === null, status, error, duration_ms };
  }

  /**
   * Sends a challenge that the receiver returns, which proves that it wants the events. An endpoint that is verified
   * stays so if a later challenge fails.
   *
   * @throws PortageError `not_found`, `unavailable`; Throttled
   */
  async verify(manager: EndpointManager, id: string): Promise<WebhookVerificationResult> {
    const endpoint = await this.endpoints.require(manager.organisationId, id);
    const challenge = randomBytes(32).toString('base64url');
    const { event_id, status, error, duration_ms } = await this.request(manager, endpoint, {
      type: WEBHOOK_VERIFICATION_TYPE,
      action: 'webhook.verify',
      idPrefix: 'challenge_',
      data: { challenge },
      judge: (answer) =>
        answer.error ?? (hasChallenge(answer.answer, challenge) ? null : 'challenge_not_returned'),
    });
    if (error === null) await this.repository.markVerified(id, this.clock.now(), this.database);
    return { event_id, verified: error === null, status, error, duration_ms };
  }

  private async request(
    { organisationId, actor }: EndpointManager,
    endpoint: StoredWebhookEndpoint,
    { type, action, idPrefix, data, judge }: Demand,
  ): Promise<Omit<WebhookTestResult, 'delivered'>> {
    if (organisationId !== undefined) await this.limits.take(TESTS, String(organisationId));
    const now = this.clock.now();
    const secrets = signingSecrets(endpoint, this.secrets, now);
    if (!secrets)
      throw new PortageError(
        'unavailable',
        'The secret of the endpoint cannot be read. Rotate it, and give the receiver the new one.',
      );
    const { id, supplier, url } = endpoint;
    const message: WebhookMessage = {
      id: `${idPrefix}${randomUUID()}`,
      type,
      timestamp: now.toISOString().replace('Z', '000+00:00'),
      data: { import_supplier: supplier, webhook_endpoint: id, ...data },
    };
    await this.audit.record(this.database, { actor, action, supplier, subject: id });
    const channel = this.sender.open(url);
    try {
      const signed = { ...buildRequest(message, secrets, now), maxAnswerBytes: MAX_ANSWER_BYTES };
      const result = await channel.send(signed);
      const { status, durationMs } = result;
      const error = judge(result);
      const attempt = {
        eventId: message.id,
        eventType: type,
        number: 1,
        status,
        error,
        durationMs,
        occurredAt: now,
      };
      await this.attempts.insert(id, attempt, maxStoredAttempts(this.config));
      return {
        event_id: message.id,
        status,
        error: error === null ? null : { code: error, detail: TEST_ERRORS[error] },
        duration_ms: durationMs,
      };
    } finally {
      channel.close();
    }
  }
}

/** True if the answer is a JSON object with the challenge. A server that returns every body as it is has no such one. */
function hasChallenge(answer: string | undefined, challenge: string): boolean {
  if (answer === undefined) return false;
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge === challenge;
  } catch {
    return false;
  }
}

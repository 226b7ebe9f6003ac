import type { StoredWebhookEndpoint } from './webhook-endpoint.repository';
import type { WebhookRequest } from './webhook-sender';
import type { WebhookSecrets } from './webhook-secrets';
import { webhookHeaders } from './webhook-signature';
import { hasPreviousSecret } from './webhook-view';

/** What is sent: the id in the header, the rest in the body. */
export interface WebhookMessage {
  id: string;
  type: string;
  timestamp: string;
  data: object;
}

/** The secrets that sign for an endpoint, the current one first. Undefined if the current one cannot be read. */
export function signingSecrets(
  endpoint: StoredWebhookEndpoint,
  secrets: WebhookSecrets,
  now: Date,
): string[] | undefined {
  const { secret, previousSecret, supplierId } = endpoint;
  const current = secrets.open(secret, supplierId);
  if (current === undefined) return undefined;
  const previous =
    previousSecret && hasPreviousSecret(endpoint, now) ? secrets.open(previousSecret, supplierId) : undefined;
  return previous === undefined ? [current] : [current, previous];
}

/** The signed request of a message. */
export function buildRequest(
  { id, type, timestamp, data }: WebhookMessage,
  secrets: readonly string[],
  now: Date,
): WebhookRequest {
  const body = JSON.stringify({ type, timestamp, data });
  return { headers: webhookHeaders(id, now, body, secrets), body };
}

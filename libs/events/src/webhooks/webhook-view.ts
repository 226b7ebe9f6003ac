import { toOffsetMicroseconds } from '@portage/platform';
import type { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { StoredWebhookEndpoint } from './webhook-endpoint.repository';
import { formatCursor } from '../feed/event-cursor';
import type { WebhookAttemptView, WebhookEndpointView } from './webhooks.dto';

/** @param now a secret that has ceased to sign is not shown */
export function buildEndpointView(endpoint: StoredWebhookEndpoint, now: Date): WebhookEndpointView {
  const { id, supplier, url, types, description, status, disabledReason, position, timeZone } = endpoint;
  const at = (stored: string | null) => (stored === null ? null : toOffsetMicroseconds(stored, timeZone));
  return {
    id,
    import_supplier: supplier,
    url,
    types,
    description,
    status: status === 'ENABLED' && endpoint.verifiedAt === null ? 'UNVERIFIED' : status,
    verified_at: at(endpoint.verifiedAt),
    disabled_reason: disabledReason,
    disabled_at: at(endpoint.disabledAt),
    failing_since: at(endpoint.failingSince),
    next_attempt_at: at(endpoint.nextAttemptAt),
    cursor: formatCursor(endpoint.supplierId, position),
    previous_secret_until: hasPreviousSecret(endpoint, now) ? at(endpoint.previousSecretUntil) : null,
    created_at: toOffsetMicroseconds(endpoint.createdAt, timeZone),
  };
}

export function buildAttemptView(attempt: WebhookAttemptEntity, timeZone: string): WebhookAttemptView {
  const { id, eventId, eventType, number, status, error, durationMs, occurredAt } = attempt;
  return {
    id,
    event_id: eventId,
    type: eventType,
    attempt: number,
    status,
    error,
    duration_ms: durationMs,
    occurred_at: toOffsetMicroseconds(occurredAt, timeZone),
  };
}

/** True while the secret before the last rotation signs too. */
export function hasPreviousSecret(
  { previousSecret, previousSecretUntil }: StoredWebhookEndpoint,
  now: Date,
): boolean {
  return previousSecret !== null && previousSecretUntil !== null && new Date(previousSecretUntil) > now;
}

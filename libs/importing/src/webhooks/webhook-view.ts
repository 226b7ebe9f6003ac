import type { StoredWebhookAttempt, StoredWebhookEndpoint } from '@portage/database';
import { toOffsetMicroseconds, type WebhookDisabledReason, type WebhookStatus } from '@portage/domain';
import { formatCursor } from '../events/event-cursor';

/** An endpoint as its supplier and operators see it. */
export interface WebhookEndpointView {
  id: string;
  import_supplier: string;
  url: string;
  types: string[];
  description: string | null;
  status: WebhookStatus;
  disabled_reason: WebhookDisabledReason | null;
  disabled_at: string | null;
  /** Since when the event after `cursor` cannot be delivered; null if its last attempt was none or a delivery. */
  failing_since: string | null;
  next_attempt_at: string | null;
  /** The place in the feed up to which everything was delivered. */
  cursor: string;
  /** Time at which the secret before the last rotation ceases to sign; null if there is none. */
  previous_secret_until: string | null;
  created_at: string;
}

/** An endpoint with a secret, which is shown once. */
export interface WebhookEndpointWithSecret extends WebhookEndpointView {
  secret: string;
}

/** An attempt to deliver an event. */
export interface WebhookAttemptView {
  id: string;
  event_id: string;
  type: string;
  attempt: number;
  status: number | null;
  error: string | null;
  duration_ms: number;
  occurred_at: string;
}

/** @param now a secret that has ceased to sign is not shown */
export function buildEndpointView(endpoint: StoredWebhookEndpoint, now: Date): WebhookEndpointView {
  const { id, supplier, url, types, description, status, disabledReason, position, timeZone } = endpoint;
  const at = (stored: string | null) => (stored === null ? null : toOffsetMicroseconds(stored, timeZone));
  return {
    ...{ id, import_supplier: supplier, url, types, description, status },
    disabled_reason: disabledReason,
    disabled_at: at(endpoint.disabledAt),
    failing_since: at(endpoint.failingSince),
    next_attempt_at: at(endpoint.nextAttemptAt),
    cursor: formatCursor(position),
    previous_secret_until: hasPreviousSecret(endpoint, now) ? at(endpoint.previousSecretUntil) : null,
    created_at: toOffsetMicroseconds(endpoint.createdAt, timeZone),
  };
}

export function buildAttemptView(attempt: StoredWebhookAttempt, timeZone: string): WebhookAttemptView {
  const { id, eventId, eventType, number, status, error, durationMs, occurredAt } = attempt;
  return {
    ...{ id, event_id: eventId, type: eventType, attempt: number, status, error, duration_ms: durationMs },
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

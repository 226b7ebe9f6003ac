import { type Config } from '@portage/platform';
import { hasInvisibleCharacter } from '@portage/text';
import { EVENT_TYPE_NAMES, type EventType } from '../feed/event-type';

/** The states of a webhook endpoint. */
export const WEBHOOK_STATUSES = ['ENABLED', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** The states that its supplier sees. An enabled endpoint that is not verified is UNVERIFIED. */
export const SHOWN_WEBHOOK_STATUSES = ['UNVERIFIED', ...WEBHOOK_STATUSES] as const;
export type ShownWebhookStatus = (typeof SHOWN_WEBHOOK_STATUSES)[number];

/** Why an endpoint is disabled, with the sentence that the supplier reads. */
export const WEBHOOK_DISABLED_REASONS = {
  manual: 'It was disabled by a request or a command.',
  failing: 'Every attempt to deliver one event has failed for 3 days.',
  gone: 'The receiver answered with 410 Gone.',
} as const;
export type WebhookDisabledReason = keyof typeof WEBHOOK_DISABLED_REASONS;

/** The event that the test of an endpoint sends. No feed has it. */
export const WEBHOOK_TEST_TYPE = 'data_import.webhook_test-v1';

/** The event whose challenge the receiver of an endpoint returns. No feed has it. */
export const WEBHOOK_VERIFICATION_TYPE = 'data_import.webhook_verification-v1';

/** The types of an endpoint that names none: what submissions have come to, and what has failed. */
export const DEFAULT_WEBHOOK_TYPES: readonly EventType[] = EVENT_TYPE_NAMES.filter(
  (type) => type.includes('.submission.') || /error-v\d+$/.test(type),
);

/** Endpoints of one supplier. */
export const MAX_WEBHOOK_ENDPOINTS = 20;

/** Attempts of one endpoint that are stored: its part of those of the supplier. */
export function maxStoredAttempts({
  QUOTA_WEBHOOK_ATTEMPTS,
}: Pick<Config, 'QUOTA_WEBHOOK_ATTEMPTS'>): number {
  return Math.max(1, Math.floor(QUOTA_WEBHOOK_ATTEMPTS / MAX_WEBHOOK_ENDPOINTS));
}

const ID = /^[1-9]\d{0,17}$/;

/** True if the text may be the id of an endpoint. A longer number would exceed the column. */
export function isWebhookEndpointId(text: string): boolean {
  return ID.test(text);
}

/** Characters of the description of an endpoint. */
export const MAX_WEBHOOK_DESCRIPTION_LENGTH = 256;

/** True if the text may describe an endpoint. It is shown in terminals. */
export function isWebhookDescription(text: string): boolean {
  return Array.from(text).length <= MAX_WEBHOOK_DESCRIPTION_LENGTH && !hasInvisibleCharacter(text);
}

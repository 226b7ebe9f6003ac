import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPE_NAMES } from '../feed/event-type';
import {
  SHOWN_WEBHOOK_STATUSES,
  type ShownWebhookStatus,
  WEBHOOK_DISABLED_REASONS,
  type WebhookDisabledReason,
} from './webhook-endpoint';
import { DELIVERY_ERRORS } from './webhook-sender';

/** Why a test or a challenge has failed. */
export const TEST_ERRORS = {
  ...DELIVERY_ERRORS,
  challenge_not_returned: 'The receiver answered with 2xx, but not with the challenge in a JSON object.',
} as const;
export type WebhookTestErrorCode = keyof typeof TEST_ERRORS;

/** An endpoint as its supplier and operators see it. */
@ApiSchema({ name: 'WebhookEndpoint' })
export class WebhookEndpointView {
  @ApiProperty()
  id: string;

  @ApiProperty()
  import_supplier: string;

  @ApiProperty()
  url: string;

  @ApiProperty({
    minItems: 1,
    enum: [...EVENT_TYPE_NAMES],
    isArray: true,
    type: String,
    description: 'The types of events that are sent.',
  })
  types: string[];

  @ApiProperty({ nullable: true, type: String })
  description: string | null;

  @ApiProperty({
    type: String,
    enum: [...SHOWN_WEBHOOK_STATUSES],
    description:
      'UNVERIFIED: the receiver has not answered a challenge yet. Nothing is sent, and nothing is lost.',
  })
  status: ShownWebhookStatus;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description: 'When the receiver has last answered a challenge.',
  })
  verified_at: string | null;

  @ApiProperty({
    nullable: true,
    type: String,
    enum: Object.keys(WEBHOOK_DISABLED_REASONS),
    description: Object.entries(WEBHOOK_DISABLED_REASONS)
      .map(([reason, text]) => `${reason}: ${text}`)
      .join(' '),
  })
  disabled_reason: WebhookDisabledReason | null;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  disabled_at: string | null;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description: 'Time of the first failed attempt of the event after `cursor`.',
  })
  failing_since: string | null;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  next_attempt_at: string | null;

  @ApiProperty({ description: 'The place in the feed up to which everything was delivered.' })
  cursor: string;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description: 'Until then the secret before the last rotation signs too.',
  })
  previous_secret_until: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

/** An endpoint with a secret, which is shown once. */
export class WebhookEndpointWithSecret extends WebhookEndpointView {
  @ApiProperty({
    description: 'Signs the events, as the Standard Webhooks specification says. Shown once.',
  })
  secret: string;
}

/** An attempt to deliver an event. */
@ApiSchema({ name: 'WebhookAttempt' })
export class WebhookAttemptView {
  @ApiProperty()
  id: string;

  @ApiProperty({ description: 'The id of the event, which `webhook-id` had.' })
  event_id: string;

  @ApiProperty()
  type: string;

  @ApiProperty({ type: 'integer', description: 'From 1, for each event.' })
  attempt: number;

  @ApiProperty({
    nullable: true,
    type: 'integer',
    description: 'HTTP status; null if there was no response.',
  })
  status: number | null;

  @ApiProperty({ nullable: true, type: String, description: 'A code; null after a delivery.' })
  error: string | null;

  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  @ApiProperty({ format: 'date-time' })
  occurred_at: string;
}

/** Why a test was not delivered, or a challenge not answered. */
export class WebhookTestError {
  @ApiProperty({ type: String })
  code: WebhookTestErrorCode;

  @ApiProperty()
  detail: string;
}

/** What the receiver has made of a test. */
@ApiSchema({ name: 'WebhookTest' })
export class WebhookTestResult {
  @ApiProperty()
  event_id: string;

  @ApiProperty({ description: 'True if the receiver answered with 2xx.' })
  delivered: boolean;

  @ApiProperty({
    nullable: true,
    type: 'integer',
    description: 'HTTP status; null if there was no response.',
  })
  status: number | null;

  @ApiProperty({ nullable: true, type: WebhookTestError })
  error: WebhookTestError | null;

  @ApiProperty({ type: 'integer' })
  duration_ms: number;
}

/** What the receiver has made of a challenge. */
@ApiSchema({ name: 'WebhookVerification' })
export class WebhookVerificationResult {
  @ApiProperty()
  event_id: string;

  @ApiProperty({ description: 'True if the receiver answered with 2xx and the challenge.' })
  verified: boolean;

  @ApiProperty({
    nullable: true,
    type: 'integer',
    description: 'HTTP status; null if there was no response.',
  })
  status: number | null;

  @ApiProperty({ nullable: true, type: WebhookTestError })
  error: WebhookTestError | null;

  @ApiProperty({ type: 'integer' })
  duration_ms: number;
}

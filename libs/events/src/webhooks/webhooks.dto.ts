import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPE_NAMES } from '../feed/event-type';
import {
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type WebhookDisabledReason,
  type WebhookStatus,
} from './webhook-endpoint';
import type { DeliveryError } from './webhook-sender';

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

  @ApiProperty({ type: String, enum: [...WEBHOOK_STATUSES] })
  status: WebhookStatus;

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

/** Why a test was not delivered. */
export class WebhookTestError {
  @ApiProperty({ type: String })
  code: DeliveryError;

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

import {
  IdColumn,
  quoteList,
  ReadOnlyTimestampColumn,
  TimestampColumn,
  TimestampNowColumn,
} from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, Index, ManyToOne } from 'typeorm';
import {
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type WebhookDisabledReason,
  type WebhookStatus,
} from './webhook-endpoint';
import type { EventPosition } from '../feed/event-position';

/** A URL of a supplier to which the events of its feed are sent, with the place in the feed that is reached. */
@Entity('webhook_endpoint')
@Index('webhook_endpoint_supplier', ['supplierId', 'id'])
@Check('webhook_endpoint_status_check', `status IN (${quoteList(WEBHOOK_STATUSES)})`)
@Check(
  'webhook_endpoint_disabled_reason_check',
  `disabled_reason IN (${quoteList(Object.keys(WEBHOOK_DISABLED_REASONS))})`,
)
@Check('webhook_endpoint_check', '(previous_secret IS NULL) = (previous_secret_until IS NULL)')
@Check('webhook_endpoint_check1', `(status = 'DISABLED') = (disabled_reason IS NOT NULL)`)
@Check('webhook_endpoint_check2', `(status = 'DISABLED') = (disabled_at IS NOT NULL)`)
@Check('webhook_endpoint_check3', '(lease_token IS NULL) = (lease_until IS NULL)')
export class WebhookEndpointEntity {
  // The endpoints that the dispatchers look at.
  @Index('webhook_endpoint_enabled', { where: `status = 'ENABLED'` })
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  @Column({ type: 'text' })
  url: string;

  /** The types of events that are sent. */
  @Column({ type: 'text', array: true })
  types: string[];

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** The secret that signs, encrypted. */
  @Column({ type: 'bytea' })
  secret: Buffer;

  /** The secret before the last rotation, encrypted. It signs too until the time below. */
  @Column({ type: 'bytea', nullable: true })
  previousSecret: Buffer | null;

  @TimestampColumn({ nullable: true })
  previousSecretUntil: string | null;

  /** The API key or operator that created it. */
  @Column({ type: 'text' })
  actor: string;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  @Column({ type: 'text', default: 'ENABLED' })
  status: WebhookStatus;

  @Column({ type: 'text', nullable: true })
  disabledReason: WebhookDisabledReason | null;

  @TimestampColumn({ nullable: true })
  disabledAt: string | null;

  /** When the receiver has last answered a challenge. Null: nothing is delivered yet. */
  @TimestampColumn({ nullable: true })
  verifiedAt: string | null;

  /** Counts the changes by requests and commands. A dispatcher that read an earlier one cannot store its progress. */
  @Column({ type: 'integer', default: 1 })
  revision: number;

  /** Everything in the feed before it was delivered, or is of other types. */
  @Column({ type: 'jsonb' })
  position: EventPosition;

  /** Failed attempts of the event after the position. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Time of the first of these attempts. */
  @TimestampColumn({ nullable: true })
  failingSince: string | null;

  @TimestampColumn({ nullable: true })
  nextAttemptAt: string | null;

  /** Time at which a dispatcher claimed it last. The endpoint that has waited longest is next. */
  @TimestampNowColumn()
  claimedAt: string;

  /** Fencing token of the dispatcher that serves it. */
  @Column({ type: 'uuid', nullable: true })
  leaseToken: string | null;

  @TimestampColumn({ nullable: true })
  leaseUntil: string | null;
}

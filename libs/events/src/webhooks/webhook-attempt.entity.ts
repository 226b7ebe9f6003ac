import { IdColumn, TimestampColumn } from '@portage/platform';
import { Column, Entity, Index } from 'typeorm';

/** An attempt to deliver an event to an endpoint. No foreign key: the attempt in flight may end after the endpoint. */
@Entity('webhook_attempt')
@Index('webhook_attempt_endpoint', ['endpointId', 'id'])
export class WebhookAttemptEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'bigint' })
  endpointId: string;

  /** The id of the event in the feed, or that of a test. */
  @Column({ type: 'text' })
  eventId: string;

  @Column({ type: 'text' })
  eventType: string;

  /** Counts the attempts of the event since its endpoint was last enabled or replayed, from 1. */
  @Column({ type: 'integer' })
  number: number;

  /** HTTP status; null if there was no response. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  /** Null after a delivery. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ type: 'integer' })
  durationMs: number;

  // The maintenance erases the oldest ones.
  @Index('webhook_attempt_occurred')
  @TimestampColumn()
  occurredAt: string;
}

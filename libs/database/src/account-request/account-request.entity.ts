import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** Something that a worker does to an account while the API waits (DESIGN 4). */
@Entity('account_request')
export class AccountRequestEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'organisation_id', type: 'int' })
  organisationId: number;

  @Column({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ type: 'text' })
  kind: 'transactions' | 'payment-instruction';

  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  @Column({ name: 'idempotency_key', type: 'text', nullable: true })
  idempotencyKey: string | null;

  @Column({ type: 'text' })
  status: 'PENDING' | 'DONE';

  @Column({ type: 'int' })
  attempt: number;

  @Column({ type: 'json', nullable: true })
  input: unknown;

  @Column({ type: 'json', nullable: true })
  outcome: unknown;

  @TimestampColumn('enqueued_at')
  enqueuedAt: string;

  @TimestampColumn('created_at')
  createdAt: string;

  @TimestampColumn('finished_at', { nullable: true })
  finishedAt: string | null;
}

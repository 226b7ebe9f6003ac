import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** The answer that a request with an `Idempotency-Key` was given, for when it is sent again. */
@Entity('idempotency_key')
export class IdempotencyKeyEntity {
  @PrimaryColumn({ name: 'organisation_id', type: 'int' })
  organisationId: number;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'text' })
  endpoint: string;

  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  /** The account that it is about, with which the answer is erased. */
  @Column({ name: 'account_id', type: 'bigint', nullable: true })
  accountId: string | null;

  @Column({ type: 'json' })
  answer: unknown;

  @TimestampColumn('created_at')
  createdAt: string;
}

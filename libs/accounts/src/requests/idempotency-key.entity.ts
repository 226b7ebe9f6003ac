import { TimestampNowColumn } from '@portage/platform';
import { OrganisationEntity } from '@portage/tenants';
import { Column, Entity, ForeignKey, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';
import { AccountRequestEntity } from './account-request.entity';

/**
 * A request with an `Idempotency-Key`. Its row is the first that it writes, so that others with the key wait for its
 * transaction, and find its answer if that is committed.
 */
@Entity('idempotency_key')
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'integer' })
  organisationId: number;

  @ManyToOne(() => OrganisationEntity)
  organisation?: OrganisationEntity;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'text' })
  endpoint: string;

  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  /** The account of the request. The answer is erased with it. */
  @Index('idempotency_key_account', { where: 'account_id IS NOT NULL' })
  @Column({ type: 'bigint', nullable: true })
  accountId: string | null;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity | null;

  /** The process of a request that scheduled an account. The answer is erased with it. */
  @Index('idempotency_key_process', { where: 'process_id IS NOT NULL' })
  @ForeignKey('ImportProcessEntity')
  @Column({ type: 'bigint', nullable: true })
  processId: string | null;

  /** The request that a worker performs; null for one whose transaction has done the work. */
  @Index('idempotency_key_request', { where: 'request_id IS NOT NULL' })
  @Column({ type: 'bigint', nullable: true })
  requestId: string | null;

  @ManyToOne(() => AccountRequestEntity, { onDelete: 'CASCADE' })
  request?: AccountRequestEntity | null;

  /** Null if a worker performs the request. */
  @Column({ type: 'json', nullable: true })
  answer: unknown;

  @Index('idempotency_key_age', { where: 'request_id IS NULL' })
  @TimestampNowColumn()
  createdAt: string;
}

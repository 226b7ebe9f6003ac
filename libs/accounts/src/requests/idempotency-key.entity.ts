import { TimestampNowColumn } from '@portage/platform';
import { OrganisationEntity } from '@portage/tenants';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** The answer to a request with an `Idempotency-Key`, stored in the transaction that did its work. */
@Entity('idempotency_key')
export class IdempotencyKeyEntity {
  @ForeignKey(() => OrganisationEntity)
  @PrimaryColumn({ type: 'integer' })
  organisationId: number;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'text' })
  endpoint: string;

  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  /** The account of the request. The answer is erased with it. */
  @Index('idempotency_key_account', { where: 'account_id IS NOT NULL' })
  @ForeignKey(() => AccountEntity)
  @Column({ type: 'bigint', nullable: true })
  accountId: string | null;

  /** The process of a request that scheduled an account. The answer is erased with it. */
  @Index('idempotency_key_process', { where: 'process_id IS NOT NULL' })
  @ForeignKey('ImportProcessEntity')
  @Column({ type: 'bigint', nullable: true })
  processId: string | null;

  @Column({ type: 'json' })
  answer: unknown;

  @Index('idempotency_key_age')
  @TimestampNowColumn()
  createdAt: string;
}

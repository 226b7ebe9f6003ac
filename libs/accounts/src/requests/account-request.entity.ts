import { IdColumn, TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { OrganisationEntity } from '@portage/tenants';
import { Check, Column, Entity, ForeignKey, Index, ManyToOne } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/**
 * A stored request that a worker performs while the API waits: it adds something to an imported account, or processes a
 * staged one.
 */
@Entity('account_request')
// An equal request that arrives while one is in flight joins it.
@Index('account_request_in_flight', ['accountId', 'kind', 'fingerprint'], {
  unique: true,
  where: `status = 'PENDING' AND NOT is_keyed`,
})
// The requests for payment instructions by their outcome, for operators. The migration has its expression.
@Index('account_request_instruction_outcome', { synchronize: false })
@Check('account_request_kind_check', `kind IN ('transactions', 'payment-instruction', 'process-account')`)
@Check('account_request_subject_check', `(kind = 'process-account') = (account_id IS NULL)`)
@Check('account_request_process_check', `(kind = 'process-account') = (process_id IS NOT NULL)`)
@Check('account_request_status_check', `status IN ('PENDING', 'DONE')`)
@Check('account_request_check', `(status = 'DONE') = (outcome IS NOT NULL)`)
@Check('account_request_check1', `(status = 'PENDING') = (input IS NOT NULL)`)
export class AccountRequestEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'integer' })
  organisationId: number;

  @ManyToOne(() => OrganisationEntity)
  organisation?: OrganisationEntity;

  /** Null for the kind `process-account`. */
  @Index('account_request_account')
  @Column({ type: 'bigint', nullable: true })
  accountId: string | null;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity | null;

  /** The process of the staged account; null for the other kinds. */
  @Index('account_request_process', { where: 'process_id IS NOT NULL' })
  @ForeignKey('ImportProcessEntity', { onDelete: 'CASCADE' })
  @Column({ type: 'bigint', nullable: true })
  processId: string | null;

  @Column({ type: 'text' })
  kind: 'transactions' | 'payment-instruction' | 'process-account';

  /** Hash of everything that the outcome depends on: equal requests have equal fingerprints. */
  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  /** True if its client has sent an `Idempotency-Key`: it is another request than an equal one. */
  @Column({ type: 'boolean', default: false })
  isKeyed: boolean;

  /** The API key that sent it. */
  @Column({ type: 'text' })
  actor: string;

  @Column({ type: 'text', default: 'PENDING' })
  status: 'PENDING' | 'DONE';

  @Column({ type: 'integer', default: 0 })
  attempt: number;

  /** True if its client was answered before the outcome was there. The same request then finds the outcome. */
  @Column({ type: 'boolean', default: false })
  isUnanswered: boolean;

  /** json, not jsonb: amounts stay as they were sent. Null once the outcome is stored. */
  @Column({ type: 'json', nullable: true })
  input: unknown;

  @Column({ type: 'json', nullable: true })
  outcome: unknown;

  @Index('account_request_pending', { where: `status = 'PENDING'` })
  @TimestampNowColumn()
  enqueuedAt: string;

  @TimestampNowColumn()
  createdAt: string;

  @Index('account_request_finished', { where: `status = 'DONE'` })
  @TimestampColumn({ nullable: true })
  finishedAt: string | null;
}

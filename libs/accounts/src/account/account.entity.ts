import { IdColumn, ReadOnlyTimestampColumn, TimestampColumn } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { Check, Column, Entity, ForeignKey, Index, ManyToOne, Unique } from 'typeorm';

/** An imported account. */
@Entity('account')
@Unique('account_external_account_number', ['supplierId', 'externalAccountNumber'])
@Unique('account_external_identifier', ['supplierId', 'externalIdentifier'])
// Payload retention reads the oldest accounts of a supplier whose payload is still stored.
@Index('account_payload_kept', ['supplierId', 'createdAt'], { where: 'payload_erased_at IS NULL' })
@Check('account_number_check', `number ~ '^A-[0-9a-f]{8}$'`)
@Check('account_cycle_months_check', 'cycle_months > 0')
@Check('account_cycle_start_day_check', 'cycle_start_day BETWEEN 1 AND 31')
@Check('account_check', 'cycle_phase >= 0 AND cycle_phase < cycle_months')
@Check('account_check1', 'erased_at IS NULL OR payload_erased_at IS NOT NULL')
export class AccountEntity {
  @IdColumn('bigint')
  id: string;

  /** The platform account number: `A-` and 8 hex digits. */
  @Column({ type: 'text', unique: true })
  number: string;

  /** The process that created it, and so the payload it was created from. */
  @ForeignKey('ImportProcessEntity')
  @Column({ type: 'bigint', unique: true })
  processId: string;

  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  @Column({ type: 'text' })
  externalAccountNumber: string;

  /** Null once the account was erased, unless it is the account number. Its process refuses a second import. */
  @Column({ type: 'text', nullable: true })
  externalIdentifier: string | null;

  @Column({ type: 'text', nullable: true })
  accountType: string | null;

  /** The billing_* fields and billing_address of the contract, under their own names. */
  @Column({ type: 'jsonb' })
  billing: Record<string, unknown>;

  /** The sections of the contract that have no table of their own, under their own names. */
  @Column({ type: 'jsonb', default: {} })
  details: Record<string, unknown>;

  /** With `cycleStartDay` and `cyclePhase` the BillingCycle of statements/billing-cycle.ts. */
  @Column({ type: 'integer', default: 1 })
  cycleMonths: number;

  @Column({ type: 'smallint', default: 1 })
  cycleStartDay: number;

  @Column({ type: 'integer', default: 0 })
  cyclePhase: number;

  /** Time at which the payload was erased, by its supplier's retention or with the account. */
  @TimestampColumn({ nullable: true })
  payloadErasedAt: string | null;

  /** Time at which all personal data was erased. The account accepts no further requests from then on. */
  @TimestampColumn({ nullable: true })
  erasedAt: string | null;

  @ReadOnlyTimestampColumn()
  createdAt: string;
}

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { CreatedAtColumn, TimestampColumn } from '../schema/timestamp-column';

/** An imported account. */
@Entity('account')
export class AccountEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  /** The platform account number: `A-` and 8 hex digits. */
  @Column({ type: 'text' })
  number: string;

  /** The process that created it, and so the payload it was created from. */
  @Column({ name: 'process_id', type: 'bigint' })
  processId: string;

  @Column({ name: 'supplier_id', type: 'int' })
  supplierId: number;

  @Column({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  @Column({ name: 'external_identifier', type: 'text' })
  externalIdentifier: string;

  @Column({ name: 'account_type', type: 'text', nullable: true })
  accountType: string | null;

  /** The billing_* fields and billing_address of the contract, under their own names. */
  @Column({ type: 'jsonb' })
  billing: Record<string, unknown>;

  /** The sections of the contract that have no table of their own, under their own names. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;

  /** The billing cycle, as libs/domain reads it. */
  @Column({ name: 'cycle_months', type: 'int' })
  cycleMonths: number;

  @Column({ name: 'cycle_start_day', type: 'smallint' })
  cycleStartDay: number;

  @Column({ name: 'cycle_phase', type: 'int' })
  cyclePhase: number;

  /** When the payload was erased, by its supplier's retention or with the account. */
  @TimestampColumn('payload_erased_at', { nullable: true })
  payloadErasedAt: string | null;

  /** When everything personal was erased. Nothing more is taken for the account then. */
  @TimestampColumn('erased_at', { nullable: true })
  erasedAt: string | null;

  @CreatedAtColumn()
  createdAt: string;
}

import { IdColumn, TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/**
 * A mandate to collect payments, held by a payment vendor (contract, "Payment instruction"). Never a full card or
 * account number.
 */
@Entity('payment_instruction')
@Index('payment_instruction_active', ['accountId', 'type', 'ledgerCode'], {
  unique: true,
  where: 'is_active',
})
export class PaymentInstructionEntity {
  @IdColumn('bigint')
  id: string;

  @Index('payment_instruction_account')
  @Column({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'text' })
  vendor: string;

  /** Verified for one organisation only; triggers refuse it for another one. */
  @Column({ type: 'text' })
  reference: string;

  @Column({ type: 'text', nullable: true })
  customerReference: string | null;

  @Column({ type: 'text', nullable: true })
  instructionIdentifier: string | null;

  /** The one ledger that it pays into; empty for all ledgers. */
  @Column({ type: 'text', default: '' })
  ledgerCode: string;

  @Column({ type: 'boolean' })
  isActive: boolean;

  /** Time at which the vendor confirmed it; null for an instruction that came with the account. */
  @TimestampColumn({ nullable: true })
  verifiedAt: string | null;

  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;

  /** The API key that posted it; null if it came with the account. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;

  @TimestampNowColumn()
  createdAt: string;
}

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** A mandate to collect payments, held by a payment vendor (contract 2.7). Never a full card or account number. */
@Entity('payment_instruction')
export class PaymentInstructionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'text' })
  vendor: string;

  @Column({ type: 'text' })
  reference: string;

  @Column({ name: 'customer_reference', type: 'text', nullable: true })
  customerReference: string | null;

  @Column({ name: 'instruction_identifier', type: 'text', nullable: true })
  instructionIdentifier: string | null;

  /** The one ledger that it pays into; empty for all of them. */
  @Column({ name: 'ledger_code', type: 'text' })
  ledgerCode: string;

  @Column({ name: 'is_active', type: 'boolean' })
  isActive: boolean;

  /** When the vendor confirmed it; null for what came with the account. */
  @TimestampColumn('verified_at', { nullable: true })
  verifiedAt: string | null;

  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;

  @TimestampColumn('created_at')
  createdAt: string;
}

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** An entry of a ledger (contract 2.5). */
@Entity('transaction')
export class TransactionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ name: 'ledger_position', type: 'int' })
  ledgerPosition: number;

  @Column({ name: 'period_position', type: 'int' })
  periodPosition: number;

  @Column({ name: 'transaction_id', type: 'text' })
  transactionId: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'numeric' })
  amount: string;

  @Column({ name: 'transaction_date', type: 'date' })
  transactionDate: string;

  /** The date it came with, where it was moved into the open statement period. */
  @Column({ name: 'original_date', type: 'date', nullable: true })
  originalDate: string | null;

  /** The sentence that says it was moved. */
  @Column({ type: 'text', nullable: true })
  adjustment: string | null;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** The other fields of the contract, under their own names. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;

  @TimestampColumn('created_at')
  createdAt: string;
}

import { IdColumn, TimestampNowColumn } from '@portage/platform';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { StatementPeriodEntity } from '../statements/statement-period.entity';

/** An entry of a ledger (contract, "Transaction"). */
@Entity('transaction')
@Index('transaction_identity', ['accountId', 'transactionId'])
@Check('transaction_type_check', `type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')`)
@Check('transaction_check', '(original_date IS NULL) = (adjustment IS NULL)')
export class TransactionEntity {
  @IdColumn('bigint')
  id: string;

  @Column({ type: 'bigint' })
  accountId: string;

  @Column({ type: 'integer' })
  ledgerPosition: number;

  @Column({ type: 'integer' })
  periodPosition: number;

  @ManyToOne(() => StatementPeriodEntity)
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'accountId' },
    { name: 'ledger_position', referencedColumnName: 'ledgerPosition' },
    { name: 'period_position', referencedColumnName: 'position' },
  ])
  statementPeriod?: StatementPeriodEntity;

  /** The supplier's id of the transaction. */
  @Column({ type: 'text' })
  transactionId: string;

  @Column({ type: 'text' })
  type: string;

  /** Decimal text. */
  @Column({ type: 'numeric', precision: 12, scale: 2 })
  amount: string;

  @Column({ type: 'date' })
  transactionDate: string;

  /** The date that was sent, where the transaction was moved into the open statement period. */
  @Column({ type: 'date', nullable: true })
  originalDate: string | null;

  /** The sentence that says that it was moved. */
  @Column({ type: 'text', nullable: true })
  adjustment: string | null;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** The remaining fields of the contract's Transaction. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;

  /** The API key that posted it; null if it came with the account. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;

  @TimestampNowColumn()
  createdAt: string;
}

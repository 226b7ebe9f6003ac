import { TimestampColumn } from '@portage/platform';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { LedgerEntity } from './ledger.entity';

/** The days that one statement covers. A ledger has exactly one open statement period. */
@Entity('statement_period')
@Index('statement_period_open', ['accountId', 'ledgerPosition'], { unique: true, where: 'closed_at IS NULL' })
@Check('statement_period_check', 'start_date <= end_date')
@Check('statement_period_check1', 'start_date IS NOT NULL OR closed_at IS NOT NULL')
export class StatementPeriodEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'integer' })
  ledgerPosition: number;

  @ManyToOne(() => LedgerEntity)
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'accountId' },
    { name: 'ledger_position', referencedColumnName: 'position' },
  ])
  ledger?: LedgerEntity;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  /** Included. Null for history without a known beginning. */
  @Column({ type: 'date', nullable: true })
  startDate: string | null;

  /** Included. The roll-over finds ended periods by this column. */
  @Index('statement_period_ending', { where: 'closed_at IS NULL' })
  @Column({ type: 'date' })
  endDate: string;

  @TimestampColumn({ nullable: true })
  closedAt: string | null;

  @Column({ type: 'numeric', precision: 14, scale: 2, nullable: true })
  closingBalance: string | null;
}

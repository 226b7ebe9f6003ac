import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** A stretch of time that one statement covers; a ledger has exactly one that is open (DESIGN 4). */
@Entity('statement_period')
export class StatementPeriodEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ name: 'ledger_position', type: 'int' })
  ledgerPosition: number;

  @PrimaryColumn({ type: 'int' })
  position: number;

  /** Included; none for history without a known beginning. */
  @Column({ name: 'start_date', type: 'date', nullable: true })
  startDate: string | null;

  /** Included. */
  @Column({ name: 'end_date', type: 'date' })
  endDate: string;

  @TimestampColumn('closed_at', { nullable: true })
  closedAt: string | null;

  @Column({ name: 'closing_balance', type: 'numeric', nullable: true })
  closingBalance: string | null;
}

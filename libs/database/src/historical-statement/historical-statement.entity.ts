import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** A statement of the past, kept as a document (contract 2.6). */
@Entity('historical_statement')
export class HistoricalStatementEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ name: 'statement_id', type: 'text' })
  statementId: string;

  @Column({ name: 'bill_period_from_date', type: 'date' })
  billPeriodFromDate: string;

  @Column({ name: 'bill_period_to_date', type: 'date' })
  billPeriodToDate: string;

  @Column({ name: 'issued_date', type: 'date', nullable: true })
  issuedDate: string | null;

  @Column({ type: 'text', nullable: true })
  number: string | null;

  @Column({ name: 'gross_amount', type: 'numeric', nullable: true })
  grossAmount: string | null;

  @Column({ name: 'statement_path', type: 'text', nullable: true })
  statementPath: string | null;

  @TimestampColumn('created_at')
  createdAt: string;
}

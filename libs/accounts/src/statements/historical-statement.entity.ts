import { TimestampNowColumn } from '@portage/platform';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** A statement from before the import, stored as a document (contract, "Historical statement"). */
@Entity('historical_statement')
export class HistoricalStatementEntity {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'historical_statement_identity' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'historical_statement_identity' })
  statementId: string;

  @Column({ type: 'date' })
  billPeriodFromDate: string;

  @Column({ type: 'date' })
  billPeriodToDate: string;

  @Column({ type: 'date', nullable: true })
  issuedDate: string | null;

  @Column({ type: 'text', nullable: true })
  number: string | null;

  /** Decimal text of any precision: most suppliers send minor units, some an amount. */
  @Column({ type: 'numeric', nullable: true })
  grossAmount: string | null;

  @Column({ type: 'text', nullable: true })
  statementPath: string | null;

  /** The API key that posted it; null if it came with the account. */
  @Column({ type: 'text', nullable: true })
  actor: string | null;

  @TimestampNowColumn()
  createdAt: string;
}

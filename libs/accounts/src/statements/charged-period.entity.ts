import { IdColumn } from '@portage/platform';
import { Check, Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** Days, both included, for which a supply point has been charged. */
@Entity('charged_period')
@Check('charged_period_check', 'end_date >= start_date')
// An index of an expression, which TypeORM cannot declare: see schema-exceptions.ts.
@Index('charged_period_days', { synchronize: false })
export class ChargedPeriodEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @IdColumn('bigint')
  id: string;

  /** The organisation of the account, so that a lookup searches one organisation only. */
  @Column({ type: 'integer' })
  organisationId: number;

  @Column({ type: 'text' })
  supplyPointIdentifier: string;

  @Column({ type: 'date' })
  startDate: string;

  @Column({ type: 'date' })
  endDate: string;
}

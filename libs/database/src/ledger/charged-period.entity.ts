import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AccountEntity } from '../account/account.entity';
import { IdColumn } from '../schema/columns';

/** Days, both included, for which a supply point has been charged. */
@Entity('charged_period')
export class ChargedPeriodEntity {
  @IdColumn('bigint')
  id: string;

  @Index('charged_period_account')
  @ForeignKey(() => AccountEntity)
  @Column({ type: 'bigint' })
  accountId: string;

  @Index('charged_period_supply_point')
  @Column({ type: 'text' })
  supplyPointIdentifier: string;

  @Column({ type: 'date' })
  startDate: string;

  @Column({ type: 'date' })
  endDate: string;
}

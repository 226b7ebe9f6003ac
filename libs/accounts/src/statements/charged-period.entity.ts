import { IdColumn } from '@portage/platform';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** Days, both included, for which a supply point has been charged. */
@Entity('charged_period')
// A GiST index of expressions, which TypeORM cannot declare: see schema-exceptions.ts.
@Index('charged_period_days', { synchronize: false })
export class ChargedPeriodEntity {
  @IdColumn('bigint')
  id: string;

  @Index('charged_period_account')
  @ForeignKey(() => AccountEntity)
  @Column({ type: 'bigint' })
  accountId: string;

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

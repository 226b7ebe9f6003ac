import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Days, both included, for which a supply point has been charged. */
@Entity('charged_period')
export class ChargedPeriodEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ name: 'supply_point_identifier', type: 'text' })
  supplyPointIdentifier: string;

  @Column({ name: 'start_date', type: 'date' })
  startDate: string;

  @Column({ name: 'end_date', type: 'date' })
  endDate: string;
}

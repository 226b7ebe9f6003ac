import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Days, both included, for which a supply point has been charged. */
@Entity('charged_period')
export class ChargedPeriodEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'int' })
  position: number;

  @Column({ name: 'supply_point_identifier', type: 'text' })
  supplyPointIdentifier: string;

  @Column({ name: 'start_date', type: 'date' })
  startDate: string;

  @Column({ name: 'end_date', type: 'date' })
  endDate: string;
}

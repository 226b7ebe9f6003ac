import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity';

@Entity('supply_point')
export class SupplyPoint {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ name: 'supply_address_position', type: 'integer' }) supplyAddressPosition: number;
  @Column({ name: 'supply_type', type: 'text' }) supplyType: string;
  @Column({ type: 'text' }) identifier: string;
  @Column({ name: 'supply_start_date', type: 'date' }) supplyStartDate: string;
  @Column({ name: 'supply_end_date', type: 'date', nullable: true }) supplyEndDate: string | null;
  @Column({ name: 'last_billed_to_date', type: 'date', nullable: true }) lastBilledToDate: string | null;
  @Column({ type: 'jsonb' }) meters: object;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => Account, ({ supplyPoints }) => supplyPoints)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
  @OneToMany(() => Agreement, ({ supplyPoint }) => supplyPoint, { cascade: ['insert'] })
  agreements: Relation<Agreement>[];
}

@Entity('agreement')
export class Agreement {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ name: 'supply_point_position', type: 'integer' }) supplyPointPosition: number;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ name: 'tariff_code', type: 'text' }) tariffCode: string;
  @Column({ name: 'effective_from', type: 'date' }) effectiveFrom: string;
  @Column({ name: 'effective_to', type: 'date', nullable: true }) effectiveTo: string | null;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => SupplyPoint, ({ agreements }) => agreements)
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'accountId' },
    { name: 'supply_point_position', referencedColumnName: 'position' },
  ])
  supplyPoint: Relation<SupplyPoint>;
}

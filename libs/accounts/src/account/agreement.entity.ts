import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { SupplyPointEntity } from './supply-point.entity';

/** The tariff of a supply point from a day on. */
@Entity('agreement')
export class AgreementEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'integer' })
  supplyPointPosition: number;

  @ManyToOne(() => SupplyPointEntity)
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'accountId' },
    { name: 'supply_point_position', referencedColumnName: 'position' },
  ])
  supplyPoint?: SupplyPointEntity;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  @Column({ type: 'text' })
  tariffCode: string;

  @Column({ type: 'date' })
  effectiveFrom: string;

  @Column({ type: 'date', nullable: true })
  effectiveTo: string | null;

  /** The remaining fields of the contract's Agreement. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

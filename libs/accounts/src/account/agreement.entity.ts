import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { SupplyPointEntity } from './supply-point.entity';

/** The tariff of a supply point from a day on. */
@Entity('agreement')
@ForeignKey(() => SupplyPointEntity, ['accountId', 'supplyPointPosition'], ['accountId', 'position'])
export class AgreementEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'integer' })
  supplyPointPosition: number;

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

import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What supply costs at a supply point, from a day on. */
@Entity('agreement')
export class AgreementEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ name: 'supply_point_position', type: 'int' })
  supplyPointPosition: number;

  @PrimaryColumn({ type: 'int' })
  position: number;

  @Column({ name: 'tariff_code', type: 'text' })
  tariffCode: string;

  @Column({ name: 'effective_from', type: 'date' })
  effectiveFrom: string;

  @Column({ name: 'effective_to', type: 'date', nullable: true })
  effectiveTo: string | null;

  /** The other fields of the contract, under their own names. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

import { Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/** A point at which electricity or gas is supplied, with its meters, their registers and readings. */
@Entity('supply_point')
// An index of an expression, which TypeORM cannot declare: see schema-exceptions.ts.
@Index('supply_point_identifier', { synchronize: false })
export class SupplyPointEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  /** Number of the supply point in the account, across supply addresses, counted from 0. */
  @PrimaryColumn({ type: 'integer' })
  position: number;

  /** The supplier of the account. */
  @Column({ type: 'integer' })
  supplierId: number;

  /** Position of its supply address in the account's details. */
  @Column({ type: 'integer' })
  supplyAddressPosition: number;

  @Column({ type: 'text' })
  supplyType: string;

  @Column({ type: 'text' })
  identifier: string;

  @Column({ type: 'date' })
  supplyStartDate: string;

  @Column({ type: 'date', nullable: true })
  supplyEndDate: string | null;

  @Column({ type: 'date', nullable: true })
  lastBilledToDate: string | null;

  @Column({ type: 'jsonb' })
  meters: object[];

  /** The remaining fields of the contract's MeterPoint. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A point at which electricity or gas is supplied, with its meters, their registers and readings. */
@Entity('supply_point')
export class SupplyPointEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'int' })
  position: number;

  /** Which of the supply addresses in the account's details it belongs to. */
  @Column({ name: 'supply_address_position', type: 'int' })
  supplyAddressPosition: number;

  @Column({ name: 'supply_type', type: 'text' })
  supplyType: string;

  @Column({ type: 'text' })
  identifier: string;

  @Column({ name: 'supply_start_date', type: 'date' })
  supplyStartDate: string;

  @Column({ name: 'supply_end_date', type: 'date', nullable: true })
  supplyEndDate: string | null;

  @Column({ name: 'last_billed_to_date', type: 'date', nullable: true })
  lastBilledToDate: string | null;

  @Column({ type: 'jsonb' })
  meters: Record<string, unknown>[];

  /** The other fields of the contract, under their own names. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

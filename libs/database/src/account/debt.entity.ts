import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A debt that is being collected on an account. */
@Entity('debt')
export class DebtEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'int' })
  position: number;

  @Column({ name: 'cais_reference', type: 'text', nullable: true })
  caisReference: string | null;

  /** The remaining fields of the contract's Debt. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

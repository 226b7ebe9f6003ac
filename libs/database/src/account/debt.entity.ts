import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/** A debt that is being collected on an account. */
@Entity('debt')
export class DebtEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  @Index('debt_cais_reference', { where: 'cais_reference IS NOT NULL' })
  @Column({ type: 'text', nullable: true })
  caisReference: string | null;

  /** The remaining fields of the contract's Debt. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

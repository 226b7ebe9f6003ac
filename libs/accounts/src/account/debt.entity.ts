import { Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/** A debt that is being collected on an account. */
@Entity('debt')
@Index('debt_reference', ['organisationId', 'caisReference', 'accountId'], {
  where: 'cais_reference IS NOT NULL',
})
export class DebtEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  /** The organisation of the account, so that a lookup searches one organisation only. */
  @Column({ type: 'integer' })
  organisationId: number;

  @Column({ type: 'text', nullable: true })
  caisReference: string | null;

  /** The remaining fields of the contract's Debt. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

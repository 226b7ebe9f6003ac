import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** One of the running balances of an account. */
@Entity('ledger')
export class LedgerEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  @Column({ type: 'text', nullable: true })
  ledgerCode: string | null;

  @Column({ type: 'text', nullable: true })
  ledgerIdentifier: string | null;

  /** Decimal text, above zero in favour of the customer. Updated in the transaction that adds the entries. */
  @Column({ type: 'numeric', precision: 14, scale: 2 })
  balance: string;

  /** The remaining fields of the contract's Ledger. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

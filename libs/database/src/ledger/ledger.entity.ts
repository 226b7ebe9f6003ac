import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One of the running balances of an account. */
@Entity('ledger')
export class LedgerEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'int' })
  position: number;

  @Column({ name: 'ledger_code', type: 'text', nullable: true })
  ledgerCode: string | null;

  @Column({ name: 'ledger_identifier', type: 'text', nullable: true })
  ledgerIdentifier: string | null;

  /** Above zero in favour of the customer; kept in the same transaction as the entries. */
  @Column({ type: 'numeric' })
  balance: string;

  /** The other fields of the contract, under their own names. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

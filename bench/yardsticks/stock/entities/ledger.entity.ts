import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { Account } from './account.entity';

@Entity('ledger')
export class Ledger {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ name: 'ledger_code', type: 'text', nullable: true }) ledgerCode: string | null;
  @Column({ name: 'ledger_identifier', type: 'text', nullable: true }) ledgerIdentifier: string | null;
  @Column({ type: 'numeric' }) balance: string;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => Account, ({ ledgers }) => ledgers)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
  @OneToMany(() => StatementPeriod, ({ ledger }) => ledger, { cascade: ['insert'] })
  periods: Relation<StatementPeriod>[];
}

@Entity('statement_period')
export class StatementPeriod {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ name: 'ledger_position', type: 'integer' }) ledgerPosition: number;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ name: 'start_date', type: 'date', nullable: true }) startDate: string | null;
  @Column({ name: 'end_date', type: 'date' }) endDate: string;
  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true }) closedAt: Date | null;
  @Column({ name: 'closing_balance', type: 'numeric', nullable: true }) closingBalance: string | null;
  @ManyToOne(() => Ledger, ({ periods }) => periods)
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'accountId' },
    { name: 'ledger_position', referencedColumnName: 'position' },
  ])
  ledger: Relation<Ledger>;
  @OneToMany(() => Transaction, ({ period }) => period, { cascade: ['insert'] })
  transactions: Relation<Transaction>[];
}

@Entity('transaction')
export class Transaction {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'transaction_id', type: 'text' }) transactionId: string;
  @Column({ type: 'text' }) type: string;
  @Column({ type: 'numeric' }) amount: string;
  @Column({ name: 'transaction_date', type: 'date' }) transactionDate: string;
  @Column({ type: 'text', nullable: true }) reason: string | null;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => StatementPeriod, ({ transactions }) => transactions)
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'accountId' },
    { name: 'ledger_position', referencedColumnName: 'ledgerPosition' },
    { name: 'period_position', referencedColumnName: 'position' },
  ])
  period: Relation<StatementPeriod>;
}

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
import { Ledger } from './ledger.entity';
import { SupplyPoint } from './supply-point.entity';

@Entity('account')
export class Account {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'process_id', type: 'bigint' }) processId: string;
  @Column({ name: 'supplier_id', type: 'integer' }) supplierId: number;
  @Column({ type: 'text' }) number: string;
  @Column({ name: 'external_account_number', type: 'text' }) externalAccountNumber: string;
  @Column({ name: 'external_identifier', type: 'text' }) externalIdentifier: string;
  @Column({ name: 'account_type', type: 'text', nullable: true }) accountType: string | null;
  @Column({ type: 'jsonb' }) billing: object;
  @Column({ type: 'jsonb' }) details: object;
  @OneToMany(() => Customer, ({ account }) => account, { cascade: ['insert'] })
  customers: Relation<Customer>[];
  @OneToMany(() => Reference, ({ account }) => account, { cascade: ['insert'] })
  references: Relation<Reference>[];
  @OneToMany(() => Debt, ({ account }) => account, { cascade: ['insert'] }) debts: Relation<Debt>[];
  @OneToMany(() => SupplyPoint, ({ account }) => account, { cascade: ['insert'] })
  supplyPoints: Relation<SupplyPoint>[];
  @OneToMany(() => Ledger, ({ account }) => account, { cascade: ['insert'] }) ledgers: Relation<Ledger>[];
  @OneToMany(() => ChargedPeriod, ({ account }) => account, { cascade: ['insert'] })
  chargedPeriods: Relation<ChargedPeriod>[];
  @OneToMany(() => Note, ({ account }) => account, { cascade: ['insert'] }) notes: Relation<Note>[];
  @OneToMany(() => HistoricalStatement, ({ account }) => account, { cascade: ['insert'] })
  statements: Relation<HistoricalStatement>[];
  @OneToMany(() => PaymentInstruction, ({ account }) => account, { cascade: ['insert'] })
  paymentInstructions: Relation<PaymentInstruction>[];
}

@Entity('customer')
export class Customer {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ name: 'user_identifier', type: 'text', nullable: true }) userIdentifier: string | null;
  @Column({ type: 'text', nullable: true }) title: string | null;
  @Column({ name: 'given_name', type: 'text' }) givenName: string;
  @Column({ name: 'family_name', type: 'text' }) familyName: string;
  @Column({ type: 'text', nullable: true }) email: string | null;
  @Column({ type: 'text', nullable: true }) mobile: string | null;
  @Column({ type: 'text', nullable: true }) landline: string | null;
  @Column({ name: 'date_of_birth', type: 'date', nullable: true }) dateOfBirth: string | null;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => Account, ({ customers }) => customers)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

@Entity('account_reference')
export class Reference {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ name: 'supplier_id', type: 'integer' }) supplierId: number;
  @Column({ type: 'text' }) namespace: string;
  @Column({ type: 'text' }) value: string;
  @ManyToOne(() => Account, ({ references }) => references)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

@Entity('debt')
export class Debt {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ type: 'integer' }) position: number;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => Account, ({ debts }) => debts)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

@Entity('charged_period')
export class ChargedPeriod {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'supply_point_identifier', type: 'text' }) supplyPointIdentifier: string;
  @Column({ name: 'start_date', type: 'date' }) startDate: string;
  @Column({ name: 'end_date', type: 'date' }) endDate: string;
  @ManyToOne(() => Account, ({ chargedPeriods }) => chargedPeriods)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

@Entity('note')
export class Note {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ type: 'text', nullable: true }) body: string | null;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'external_id', type: 'text', nullable: true }) externalId: string | null;
  @Column({ name: 'is_pinned', type: 'boolean' }) isPinned: boolean;
  @Column({ name: 'unpin_at', type: 'timestamptz', nullable: true }) unpinAt: Date | null;
  @Column({ name: 'is_archived', type: 'boolean' }) isArchived: boolean;
  @Column({ name: 'document_paths', type: 'text', array: true }) documentPaths: string[];
  @ManyToOne(() => Account, ({ notes }) => notes)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

@Entity('historical_statement')
export class HistoricalStatement {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' }) accountId: string;
  @PrimaryColumn({ name: 'statement_id', type: 'text' }) statementId: string;
  @Column({ name: 'bill_period_from_date', type: 'date' }) from: string;
  @Column({ name: 'bill_period_to_date', type: 'date' }) to: string;
  @Column({ name: 'issued_date', type: 'date', nullable: true }) issuedDate: string | null;
  @Column({ type: 'text', nullable: true }) number: string | null;
  @Column({ name: 'gross_amount', type: 'numeric', nullable: true }) grossAmount: number | null;
  @ManyToOne(() => Account, ({ statements }) => statements)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

@Entity('payment_instruction')
export class PaymentInstruction {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ type: 'text' }) type: string;
  @Column({ type: 'text' }) vendor: string;
  @Column({ type: 'text' }) reference: string;
  @Column({ name: 'instruction_identifier', type: 'text', nullable: true }) instructionIdentifier:
    string | null;
  @Column({ name: 'ledger_code', type: 'text' }) ledgerCode: string;
  @Column({ name: 'is_active', type: 'boolean' }) isActive: boolean;
  @Column({ type: 'jsonb' }) details: object;
  @ManyToOne(() => Account, ({ paymentInstructions }) => paymentInstructions)
  @JoinColumn({ name: 'account_id' })
  account: Relation<Account>;
}

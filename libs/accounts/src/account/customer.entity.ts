import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/** A person on an account, in the order of the payload. */
@Entity('customer')
export class CustomerEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  /** Zero-based position in the payload's `customers`. */
  @PrimaryColumn({ type: 'integer' })
  position: number;

  @Column({ type: 'text', nullable: true })
  userIdentifier: string | null;

  @Column({ type: 'text', nullable: true })
  title: string | null;

  @Column({ type: 'text' })
  givenName: string;

  @Column({ type: 'text' })
  familyName: string;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  mobile: string | null;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  landline: string | null;

  @Column({ type: 'date', nullable: true })
  dateOfBirth: string | null;

  /** The remaining fields of the contract's Customer. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

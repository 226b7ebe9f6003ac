import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person on an account, in the order of the payload. */
@Entity('customer')
export class CustomerEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  /** Zero-based place in the payload's `customers`. */
  @PrimaryColumn({ type: 'int' })
  position: number;

  @Column({ name: 'user_identifier', type: 'text', nullable: true })
  userIdentifier: string | null;

  @Column({ type: 'text', nullable: true })
  title: string | null;

  @Column({ name: 'given_name', type: 'text' })
  givenName: string;

  @Column({ name: 'family_name', type: 'text' })
  familyName: string;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  mobile: string | null;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  landline: string | null;

  @Column({ name: 'date_of_birth', type: 'date', nullable: true })
  dateOfBirth: string | null;

  /** The remaining fields of the contract's Customer. */
  @Column({ type: 'jsonb' })
  details: Record<string, unknown>;
}

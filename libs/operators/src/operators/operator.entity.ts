import { IdColumn, quoteList, ReadOnlyTimestampColumn, TimestampColumn } from '@portage/platform';
import { Check, Column, Entity } from 'typeorm';
import { OPERATOR_ROLES, type OperatorRole } from './operator';

/** A person who operates Portage: signs in to the console and to Bull Board. */
@Entity('operator')
@Check('operator_name_check', 'name = lower(name)')
@Check('operator_role_check', `role IN (${quoteList(OPERATOR_ROLES)})`)
@Check('operator_check', 'totp_secret IS NOT NULL OR NOT totp_is_confirmed')
export class OperatorEntity {
  @IdColumn('integer')
  id: number;

  /** In lower case. The audit has it, so it never changes. */
  @Column({ type: 'text', unique: true })
  name: string;

  @Column({ type: 'text' })
  role: OperatorRole;

  /** The scrypt hash with its parameters; null for an operator who signs in with OpenID Connect only. */
  @Column({ type: 'text', nullable: true })
  passwordHash: string | null;

  /** True for a one-time password: its session may do nothing but set another one. */
  @Column({ type: 'boolean', default: false })
  mustChangePassword: boolean;

  /** End of a one-time password. */
  @TimestampColumn({ nullable: true })
  passwordExpiresAt: string | null;

  /** The secret of the time-based one-time passwords, encrypted. */
  @Column({ type: 'bytea', nullable: true })
  totpSecret: Buffer | null;

  /** False until the operator has sent a code for the secret. Until then a login needs none. */
  @Column({ type: 'boolean', default: false })
  totpIsConfirmed: boolean;

  /** The time step of the code that was accepted last. A code of this step or of an earlier one is refused. */
  @Column({ type: 'bigint', nullable: true })
  totpLastStep: string | null;

  /** Issuer and subject of OpenID Connect, separated by a space. */
  @Column({ type: 'text', nullable: true, unique: true })
  oidcSubject: string | null;

  @Column({ type: 'boolean', default: false })
  isDisabled: boolean;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  @TimestampColumn({ nullable: true })
  lastLoginAt: string | null;
}

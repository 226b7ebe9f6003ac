import { Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/**
 * A role that a person has on an account of an organisation, for the lookup of the roles of an e-mail address: the
 * customers with one address can be many, their different roles are few.
 */
@Entity('held_role')
export class HeldRoleEntity {
  @PrimaryColumn({ type: 'integer' })
  organisationId: number;

  /** In lower case. */
  @PrimaryColumn({ type: 'text' })
  email: string;

  @PrimaryColumn({ type: 'text' })
  role: string;

  @Index('held_role_account')
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;
}

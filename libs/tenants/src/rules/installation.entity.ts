import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row with the secret and the rule settings of this installation. */
@Entity('installation', { comment: 'One row: what makes this installation different from others.' })
@Check('installation_only_row_check', 'only_row')
export class InstallationEntity {
  /** Always true: the primary key that permits one row. */
  @PrimaryColumn({ type: 'boolean', default: true })
  onlyRow: boolean;

  /** The secret behind the platform account numbers. */
  @Column({ type: 'bytea' })
  accountNumberKey: Buffer;

  /** Settings of the account rules for all suppliers. A setting that is absent has its default. */
  @Column({ type: 'jsonb', default: {} })
  ruleSettings: Record<string, unknown>;
}

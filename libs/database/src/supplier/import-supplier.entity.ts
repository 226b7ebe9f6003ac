import type { CreationMode, ImportSupplierStatus, ValidationProfile } from '@portage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { CreatedAtColumn, TimestampColumn } from '../schema/timestamp-column';

/** Settings of account rules as they are stored, by name. */
export type RuleSettingValues = Record<string, string | number | boolean>;

/** An import supplier (contract 2.2) and how the operator has configured it. */
@Entity('import_supplier')
export class ImportSupplierEntity {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ name: 'organisation_id', type: 'int' })
  organisationId: number;

  @Column({ type: 'text' })
  code: string;

  @Column({ type: 'text' })
  status: ImportSupplierStatus;

  /** ISO 3166-1 alpha-2 country whose phone numbers need no country code. */
  @Column({ type: 'text' })
  region: string;

  @Column({ name: 'creation_mode', type: 'text' })
  creationMode: CreationMode;

  @Column({ type: 'text' })
  profile: ValidationProfile;

  @Column({ name: 'document_root', type: 'text' })
  documentRoot: string;

  /** ISO 4217. */
  @Column({ type: 'text' })
  currency: string;

  /** IANA name; statement periods and "today" follow it. */
  @Column({ name: 'time_zone', type: 'text' })
  timeZone: string;

  @Column({ name: 'verify_documents', type: 'boolean' })
  verifyDocuments: boolean;

  @Column({ name: 'reject_undocumented_fields', type: 'boolean' })
  rejectUndocumentedFields: boolean;

  @Column({ name: 'send_migration_emails', type: 'boolean' })
  sendMigrationEmails: boolean;

  /** Days that original payloads are kept once their accounts exist; null: for as long as the account. */
  @Column({ name: 'retain_payload_days', type: 'int', nullable: true })
  retainPayloadDays: number | null;

  /** What the account rules need to know of the supplier; what is left out has its default. */
  @Column({ name: 'rule_settings', type: 'jsonb' })
  ruleSettings: RuleSettingValues;

  @CreatedAtColumn()
  createdAt: string;

  @TimestampColumn('modified_at', { insert: false, update: false })
  modifiedAt: string;
}

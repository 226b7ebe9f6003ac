import { IdColumn, ReadOnlyTimestampColumn } from '@portage/platform';
import { Check, Column, Entity, Index, ManyToOne } from 'typeorm';
import type { CreationMode, ImportSupplierStatus, V1ErrorFormat, ValidationProfile } from './import-supplier';
import { OrganisationEntity } from '../access/organisation.entity';

/** Settings of account rules as they are stored, by name. */
export type RuleSettingValues = Record<string, string | number | boolean>;

/** An import supplier (contract, "Import supplier") and its configuration by the operator. */
@Entity('import_supplier')
@Index('import_supplier_organisation_code', ['organisationId', 'code'])
@Check('import_supplier_code_check', 'length(code) BETWEEN 1 AND 128')
@Check('import_supplier_status_check', `status IN ('Ongoing', 'Paused', 'Complete')`)
@Check('import_supplier_region_check', `region ~ '^[A-Z]{2}$'`)
@Check('import_supplier_creation_mode_check', `creation_mode IN ('direct', 'dry-run-first', 'staged')`)
@Check('import_supplier_profile_check', `profile IN ('core', 'gb-energy')`)
@Check('import_supplier_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check(
  'import_supplier_document_root_check',
  `length(document_root) <= 512 AND document_root ~ '^[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&''-]*[A-Za-z0-9_,=+@()&''-])?(/[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&''-]*[A-Za-z0-9_,=+@()&''-])?)*$'`,
)
@Check('import_supplier_v1_error_format_check', `v1_error_format IN ('standard', 'fields')`)
@Check('import_supplier_max_processing_accounts_check', 'max_processing_accounts > 0')
@Check('import_supplier_retain_payload_days_check', 'retain_payload_days BETWEEN 0 AND 36500')
export class ImportSupplierEntity {
  @IdColumn('integer')
  id: number;

  @Column({ type: 'integer' })
  organisationId: number;

  @ManyToOne(() => OrganisationEntity)
  organisation?: OrganisationEntity;

  /** Unique across organisations. */
  @Column({ type: 'text', unique: true })
  code: string;

  @Column({ type: 'text', default: 'Ongoing' })
  status: ImportSupplierStatus;

  /** ISO 3166-1 alpha-2 country whose phone numbers need no country code. */
  @Column({ type: 'text' })
  region: string;

  @Column({ type: 'text' })
  creationMode: CreationMode;

  @Column({ type: 'text' })
  profile: ValidationProfile;

  /**
   * The folder of its documents. Unique, and never equal to, above or below the folder of another organisation: an
   * index and a trigger of the database ensure it, without regard to case.
   */
  @Column({ type: 'text' })
  documentRoot: string;

  /** ISO 4217. */
  @Column({ type: 'text' })
  currency: string;

  /** IANA name. Statement periods and the current day follow it. */
  @Column({ type: 'text' })
  timeZone: string;

  @Column({ type: 'boolean' })
  verifyDocuments: boolean;

  @Column({ type: 'boolean' })
  rejectUndocumentedFields: boolean;

  @Column({ type: 'boolean' })
  sendMigrationEmails: boolean;

  /** Days that an original payload is stored after its account was created; null: for as long as the account. */
  @Column({ type: 'integer', nullable: true })
  retainPayloadDays: number | null;

  /** The form of validation errors of the staging endpoints (v1). */
  @Column({ type: 'text', default: 'standard' })
  v1ErrorFormat: V1ErrorFormat;

  /** Maximum number of staged accounts that are processed at the same time; null: no limit. */
  @Column({ type: 'integer', nullable: true })
  maxProcessingAccounts: number | null;

  /** False: its imported accounts cannot be corrected. */
  @Column({ type: 'boolean', default: true })
  corrections: boolean;

  /** True: the number of an account that was erased can be imported again. */
  @Column({ type: 'boolean', default: false })
  reimportAfterErasure: boolean;

  /** Settings of the account rules. A setting that is absent has its default. */
  @Column({ type: 'jsonb', default: {} })
  ruleSettings: RuleSettingValues;

  @ReadOnlyTimestampColumn()
  createdAt: string;

  @ReadOnlyTimestampColumn()
  modifiedAt: string;
}

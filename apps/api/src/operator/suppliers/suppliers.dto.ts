import type { Page } from '@portage/operators';
import { SupplierSettingsView } from '@portage/operators';
import {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  type ImportSuppliers,
  type ImportSupplierStatus,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
} from '@portage/tenants';
import { ChoiceField, FlagField, IntegerField, NamedValuesField, TextField } from '../../http/fields';

/** A page of suppliers. */
export type SupplierPage = Page<SupplierSettingsView>;

/** The body that changes the status of a supplier. */
export class SupplierStatusRequest {
  @ChoiceField(IMPORT_SUPPLIER_STATUSES, { required: true })
  status: ImportSupplierStatus;
}

/** Settings of a supplier, whose values the use case validates. Absent ones change nothing. */
export class SupplierSettingsRequest {
  @TextField({ max: 512, description: 'ISO 3166 country code.' })
  region?: string;

  @TextField({ max: 512, choices: CREATION_MODES })
  creation_mode?: string;

  @TextField({ max: 512, choices: VALIDATION_PROFILES })
  profile?: string;

  @TextField({ max: 512, description: 'The folder of its documents in the document store.' })
  document_root?: string;

  @TextField({ max: 512, description: 'ISO 4217 code.' })
  currency?: string;

  @TextField({ max: 512, description: 'IANA time zone.' })
  time_zone?: string;

  @FlagField()
  verify_documents?: boolean;

  @FlagField()
  reject_undocumented_fields?: boolean;

  @FlagField()
  send_migration_emails?: boolean;

  @IntegerField({ min: 0, max: 1_000_000, nullable: true, description: 'Null: payloads are kept.' })
  retain_payload_days?: number | null;

  @TextField({ max: 512, choices: V1_ERROR_FORMATS })
  v1_error_format?: string;

  @IntegerField({ min: 0, max: 1_000_000, nullable: true, description: 'Null: no limit.' })
  max_processing_accounts?: number | null;

  @FlagField()
  corrections?: boolean;

  @FlagField()
  reimport_after_erasure?: boolean;

  @NamedValuesField({
    description: 'Settings of the account rules by name. In a change, null restores the default.',
  })
  rule_settings?: string[];
}

/** The settings that a client sends. In a change, null restores the default of a rule's setting. */
export type SupplierSettingsChange = Omit<SupplierSettingsRequest, 'rule_settings'> & {
  rule_settings?: Record<string, string | null>;
};

/** The body that creates a supplier. */
export class CreateSupplierRequest extends SupplierSettingsRequest {
  @TextField({ required: true, max: 128 })
  code: string;

  @TextField({ required: true })
  organisation: string;
}

type Settings = Parameters<ImportSuppliers['create']>[2];

const SETTING_NAMES = {
  region: 'region',
  creation_mode: 'creationMode',
  profile: 'profile',
  document_root: 'documentRoot',
  currency: 'currency',
  time_zone: 'timeZone',
  verify_documents: 'verifyDocuments',
  reject_undocumented_fields: 'rejectUndocumentedFields',
  send_migration_emails: 'sendMigrationEmails',
  retain_payload_days: 'retainPayloadDays',
  v1_error_format: 'v1ErrorFormat',
  max_processing_accounts: 'maxProcessingAccounts',
  corrections: 'corrections',
  reimport_after_erasure: 'reimportAfterErasure',
} as const satisfies Record<Exclude<keyof SupplierSettingsRequest, 'rule_settings'>, keyof Settings>;

/** The settings by their names in the use case. */
export function toSettings(request: SupplierSettingsRequest): Settings {
  const names = Object.entries(SETTING_NAMES) as [keyof typeof SETTING_NAMES, keyof Settings][];
  return Object.fromEntries(
    names.flatMap(([name, property]) => (request[name] === undefined ? [] : [[property, request[name]]])),
  );
}

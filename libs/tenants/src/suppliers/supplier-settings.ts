import type { ByColumn } from '@portage/platform';
import { CREATION_MODES, V1_ERROR_FORMATS, VALIDATION_PROFILES } from './import-supplier';
import type { ImportSupplierEntity } from './import-supplier.entity';

/** The settings of a supplier that {@link SUPPLIER_SETTINGS} describes. */
export type SupplierSettings = Omit<
  ImportSupplierEntity,
  'id' | 'organisationId' | 'organisation' | 'code' | 'status' | 'ruleSettings' | 'createdAt' | 'modifiedAt'
>;

/** The settings by the names of their columns, which the APIs have too. */
export type SupplierSettingValues = ByColumn<SupplierSettings>;
export type SupplierSettingName = keyof SupplierSettingValues;

/** A setting of a supplier, as the APIs, the command line, the console and the documentation present it. */
export type SupplierSetting = { description: string } & (
  | { type: 'flag'; default: boolean }
  /** A whole number, or null for none. */
  | { type: 'number'; default: null; min: number; max: number }
  /** Without a default it is made from the code of the supplier. */
  | { type: 'text'; default?: string; choices?: readonly string[] }
);

const SETTINGS: Record<SupplierSettingName, SupplierSetting> = {
  creation_mode: {
    type: 'text',
    choices: CREATION_MODES,
    default: 'direct',
    description:
      '`direct` creates accounts; `dry-run-first` makes a dry run of each before; `staged` makes a dry run, after which each waits for an operator.',
  },
  profile: {
    type: 'text',
    choices: VALIDATION_PROFILES,
    default: 'core',
    description: 'The validation profile: the rules that accounts must follow.',
  },
  region: {
    type: 'text',
    default: 'GB',
    description: 'ISO 3166-1 country of phone numbers without a country code.',
  },
  currency: { type: 'text', default: 'GBP', description: 'ISO 4217 currency of amounts.' },
  time_zone: { type: 'text', default: 'Europe/London', description: 'IANA time zone of calendar days.' },
  document_root: {
    type: 'text',
    description:
      'The folder of its documents in the document store; never equal to, inside or above a folder of another organisation.',
  },
  verify_documents: {
    type: 'flag',
    default: false,
    description: 'Documents must exist when a request names them.',
  },
  reject_undocumented_fields: {
    type: 'flag',
    default: false,
    description: 'Undocumented fields are errors instead of being listed in `Ignored-Fields`.',
  },
  send_migration_emails: {
    type: 'flag',
    default: false,
    description: 'Customers get a welcome e-mail after the import.',
  },
  corrections: { type: 'flag', default: true, description: 'Imported accounts can be corrected.' },
  reimport_after_erasure: {
    type: 'flag',
    default: false,
    description: 'The number of an account that was erased can be imported again.',
  },
  retain_payload_days: {
    type: 'number',
    min: 0,
    max: 36_500,
    default: null,
    description:
      'Original payloads are erased this many days after the account was created, or after the last change of a process that has ended without one.',
  },
  v1_error_format: {
    type: 'text',
    choices: V1_ERROR_FORMATS,
    default: 'standard',
    description:
      'Validation errors of the staging endpoints: `standard` lists them, `fields` makes a dictionary shaped like the payload.',
  },
  max_processing_accounts: {
    type: 'number',
    min: 1,
    max: 1_000_000,
    default: null,
    description: 'Staged accounts that are processed at the same time; a request above it gets 429.',
  },
};

/**
 * Each setting of a supplier, described once: the use case checks values by it, and requests, answers, options of the
 * command line, the form of the console and the table of docs/cli.md are made of it. The console imports this file.
 */
export const SUPPLIER_SETTINGS = Object.entries(SETTINGS) as [SupplierSettingName, SupplierSetting][];

/** The values of a new supplier. */
export const SUPPLIER_SETTING_DEFAULTS = Object.fromEntries(
  SUPPLIER_SETTINGS.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
) as Omit<SupplierSettingValues, 'document_root'>;

/** Makes a class with a member for each setting, which `declare` decorates. */
export function settingsClass(
  declare: (setting: SupplierSetting) => PropertyDecorator,
): new () => SupplierSettingValues {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its members come from the decorators
  class Settings {}
  for (const [name, setting] of SUPPLIER_SETTINGS) declare(setting)(Settings.prototype, name);
  return Settings as new () => SupplierSettingValues;
}

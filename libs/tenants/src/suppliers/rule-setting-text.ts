import { type InstanceSettings, type SupplierSettings } from '@portage/account-schema';
import { INSTANCE_DEFAULTS, INSTANCE_SETTINGS, SUPPLIER_SETTINGS } from '@portage/account-schema/service';
import { PortageError } from '@portage/platform';

type SupplierSetting = keyof SupplierSettings;
type InstanceSetting = keyof InstanceSettings;
type Kind = 'flag' | 'text' | 'amount' | 'day';

const SETTING_KINDS: Record<SupplierSetting | InstanceSetting, Kind> = {
  skip_supply_point_creation: 'flag',
  skip_property_creation: 'flag',
  auto_allocate_operations_team: 'flag',
  send_registration_flows: 'flag',
  create_new_portfolios: 'flag',
  enforce_business_contracts_exist: 'flag',
  link_account_to_business_with_contract: 'flag',
  import_supply_address_history: 'flag',
  allow_managed_accounts: 'flag',
  consents_enabled: 'flag',
  default_customer_role: 'text',
  require_billing_document_identifier: 'flag',
  check_file_paths: 'flag',
  cais_references_enabled: 'flag',
  allow_incomplete_payment_instructions: 'flag',
  main_ledger_code: 'text',
  payment_schedule_amount_min: 'amount',
  payment_schedule_amount_max: 'amount',
  payment_day_min: 'day',
  payment_day_max: 'day',
};

/** A parsed `name=value`. The value null (`name=`) restores the default. */
export interface ParsedSetting<Name> {
  name: Name;
  value: string | number | boolean | null;
}

/**
 * Parses a supplier's rule setting.
 *
 * @throws PortageError `operation_refused` with the valid names, or the valid form of the value
 */
export function parseSupplierSetting(text: string): ParsedSetting<SupplierSetting> {
  return parseSetting(text, SUPPLIER_SETTINGS);
}

/**
 * Parses an instance setting.
 *
 * @throws PortageError `operation_refused` with the valid names, or the valid form of the value
 */
export function parseInstanceSetting(text: string): ParsedSetting<InstanceSetting> {
  return parseSetting(text, INSTANCE_SETTINGS);
}

/** Every instance setting with its effective value: the stored one, or else the default. */
export function effectiveInstanceSettings(stored: Record<string, unknown>): Record<InstanceSetting, unknown> {
  return { ...INSTANCE_DEFAULTS, ...stored };
}

function parseSetting<Name extends SupplierSetting | InstanceSetting>(
  text: string,
  names: readonly Name[],
): ParsedSetting<Name> {
  const [submittedName = '', ...rest] = text.split('=');
  const name = names.find((known) => known === submittedName);
  if (!name || rest.length === 0)
    throw new PortageError(
      'operation_refused',
      `Write a rule setting as name=value. The names are ${names.join(', ')}.`,
    );
  return { name, value: parseValue(name, rest.join('=')) };
}

/** The form of the values of each kind, how they are parsed, and how an error describes them. */
const VALUE_FORMATS: Record<
  Kind,
  { pattern: RegExp; parse: (text: string) => string | number | boolean; description: string }
> = {
  flag: { pattern: /^(true|false)$/, parse: (text) => text === 'true', description: 'true or false' },
  amount: { pattern: /^\d{1,10}(\.\d{1,2})?$/, parse: (text) => text, description: 'an amount such as 0.01' },
  day: { pattern: /^([1-9]|[12]\d|3[01])$/, parse: Number, description: 'a day of the month, 1 to 31' },
  text: { pattern: /^.{1,128}$/, parse: (text) => text, description: 'a text of up to 128 characters' },
};

function parseValue(name: SupplierSetting | InstanceSetting, text: string): string | number | boolean | null {
  if (text === '') return null;
  const { pattern, parse, description } = VALUE_FORMATS[SETTING_KINDS[name]];
  if (!pattern.test(text)) throw new PortageError('operation_refused', `${name} must be ${description}.`);
  return parse(text);
}

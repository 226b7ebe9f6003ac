import {
  INSTANCE_DEFAULTS,
  INSTANCE_SETTINGS,
  type InstanceSettings,
  SUPPLIER_SETTINGS,
  type SupplierSettings,
} from '@portage/account-schema';
import { Refusal } from '../refusal';

type SupplierSetting = keyof SupplierSettings;
type InstanceSetting = keyof InstanceSettings;
type Kind = 'flag' | 'text' | 'amount' | 'day';

const KIND_OF: Record<SupplierSetting | InstanceSetting, Kind> = {
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

/** A setting that was written `name=value`; null takes it back to its default (`name=`). */
export interface WrittenSetting<Name> {
  name: Name;
  value: string | number | boolean | null;
}

/** @throws Refusal naming what there is instead */
export function supplierSetting(text: string): WrittenSetting<SupplierSetting> {
  return setting(text, SUPPLIER_SETTINGS);
}

/** @throws Refusal naming what there is instead */
export function instanceSetting(text: string): WrittenSetting<InstanceSetting> {
  return setting(text, INSTANCE_SETTINGS);
}

/** Every setting of the instance with the value that holds. */
export function completeInstanceSettings(stored: Record<string, unknown>): Record<InstanceSetting, unknown> {
  return { ...INSTANCE_DEFAULTS, ...stored };
}

function setting<Name extends SupplierSetting | InstanceSetting>(
  text: string,
  names: readonly Name[],
): WrittenSetting<Name> {
  const [written = '', ...rest] = text.split('=');
  const name = names.find((known) => known === written);
  if (!name || rest.length === 0)
    throw new Refusal(`Write a rule setting as name=value; the names are ${names.join(', ')}.`);
  return { name, value: valueOf(name, rest.join('=')) };
}

/** What a value of each kind looks like, what it is read as, and what it should have been. */
const KINDS: Record<
  Kind,
  { form: RegExp; read: (text: string) => string | number | boolean; wanted: string }
> = {
  flag: { form: /^(true|false)$/, read: (text) => text === 'true', wanted: 'true or false' },
  amount: { form: /^\d{1,10}(\.\d{1,2})?$/, read: (text) => text, wanted: 'an amount such as 0.01' },
  day: { form: /^([1-9]|[12]\d|3[01])$/, read: Number, wanted: 'a day of the month, 1 to 31' },
  text: { form: /^.{1,128}$/, read: (text) => text, wanted: 'a text of up to 128 characters' },
};

function valueOf(name: SupplierSetting | InstanceSetting, text: string): string | number | boolean | null {
  if (text === '') return null;
  const { form, read, wanted } = KINDS[KIND_OF[name]];
  if (!form.test(text)) throw new Refusal(`${name} is ${wanted}.`);
  return read(text);
}

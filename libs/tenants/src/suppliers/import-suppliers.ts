import { Injectable } from '@nestjs/common';
import {
  ActingOperator,
  byColumn,
  byProperty,
  documentRootOf,
  isDocumentRoot,
  PortageError,
} from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { getCountries } from 'libphonenumber-js/max';
import { ImportSupplierRepository } from './import-supplier.repository';
import type { ImportSupplierEntity, RuleSettingValues } from './import-supplier.entity';
import { OrganisationRepository } from '../access/organisation.repository';
import { IMPORT_SUPPLIER_STATUSES } from './import-supplier';
import { parseSupplierSetting } from './rule-setting-text';
import {
  SUPPLIER_SETTING_DEFAULTS,
  SUPPLIER_SETTINGS,
  type SupplierSetting,
  type SupplierSettingName,
  type SupplierSettings,
  type SupplierSettingValues,
} from './supplier-settings';

/** Import suppliers, as an operator manages them. Each change is recorded in the audit. */
@Injectable()
export class ImportSuppliers {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly organisations: OrganisationRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Creates a supplier with the status Ongoing. Settings that are absent have their defaults; the document root is made
   * from the code.
   *
   * @param ruleSettings settings of the account rules, each `name=value`
   * @throws PortageError `operation_refused` if a value is not valid, the organisation does not exist, or the code or
   * the document root is taken
   */
  async create(
    givenCode: string,
    organisation: string,
    settings: Partial<SupplierSettings>,
    ruleSettings: readonly string[] = [],
  ): Promise<ImportSupplierEntity> {
    const code = readIdentifier(givenCode);
    if (code === undefined || !/^[^/]{1,128}$/u.test(code))
      throw new PortageError(
        'operation_refused',
        'A supplier code must have 1 to 128 characters, no slash and no control, bidirectional or zero-width character.',
      );
    const owner = await this.organisations.findByName(organisation);
    if (!owner)
      throw new PortageError(
        'operation_refused',
        `There is no organisation "${organisation}". Create it with: organisation create "${organisation}"`,
      );
    const complete = {
      ...byProperty(SUPPLIER_SETTING_DEFAULTS),
      documentRoot: documentRootOf(code),
      ...validateSettings(settings),
      ruleSettings: mergeRuleSettings({}, ruleSettings),
    };
    const entry = { actor: this.operator.actor, action: 'supplier.create' } as const;
    const created = await this.suppliers.create(owner.id, code, complete, entry);
    if (!created)
      throw new PortageError(
        'operation_refused',
        `The supplier code ${code} is taken. Change that supplier with: supplier set ${code}`,
      );
    return created;
  }

  /**
   * Changes the settings in `settings` and leaves all other settings.
   *
   * @param ruleSettings each `name=value`; an empty value restores the default
   * @throws PortageError `operation_refused` if a value is not valid, the document root is taken or there is no such supplier
   */
  async set(
    code: string,
    settings: Partial<SupplierSettings>,
    ruleSettings: readonly string[] = [],
  ): Promise<ImportSupplierEntity> {
    const supplier = await this.suppliers.requireByCode(code);
    const change = {
      ...validateSettings(settings),
      ruleSettings: mergeRuleSettings(supplier.ruleSettings, ruleSettings),
    };
    const entry = { actor: this.operator.actor, action: 'supplier.set' } as const;
    return this.suppliers.update(code, change, entry);
  }

  /**
   * Sets the status of a supplier.
   *
   * @throws PortageError `operation_refused` if the status is unknown or there is no such supplier
   */
  async setStatus(code: string, status: string): Promise<ImportSupplierEntity> {
    const knownStatus = IMPORT_SUPPLIER_STATUSES.find((known) => known === status);
    if (!knownStatus)
      throw new PortageError(
        'operation_refused',
        `The status must be one of ${IMPORT_SUPPLIER_STATUSES.join(', ')}.`,
      );
    const entry = { actor: this.operator.actor, action: 'supplier.set-status' } as const;
    return this.suppliers.update(code, { status: knownStatus }, entry);
  }
}

/**
 * Merges the settings in `texts`, each `name=value`, into `settings`. An empty value removes the setting, which
 * restores its default.
 */
function mergeRuleSettings(settings: RuleSettingValues, texts: readonly string[]): RuleSettingValues {
  const all = new Map(Object.entries(settings));
  for (const { name, value } of texts.map(parseSupplierSetting)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return Object.fromEntries(all);
}

/** Whether a text is valid for a setting, and what it must be. */
const TEXT_FORMS: Partial<Record<SupplierSettingName, [isValid: (text: string) => boolean, form: string]>> = {
  region: [(text) => (getCountries() as string[]).includes(text), 'an ISO 3166 country code such as GB'],
  currency: [(text) => Intl.supportedValuesOf('currency').includes(text), 'an ISO 4217 code such as GBP'],
  time_zone: [isTimeZone, 'an IANA time zone such as Europe/London'],
  document_root: [
    isDocumentRoot,
    "a folder such as acme/2026: names of ASCII letters, digits, spaces and _.,=+@()&'- that are separated by /, " +
      'begin with a letter, a digit or _, and do not end with a dot or a space',
  ],
};

/**
 * The settings that are present. Other members are left out.
 *
 * @throws PortageError `operation_refused` if a value is not valid
 */
function validateSettings(settings: Partial<SupplierSettings>): Partial<SupplierSettings> {
  const given: Partial<SupplierSettingValues> = byColumn(settings);
  const present = SUPPLIER_SETTINGS.filter(([name]) => given[name] !== undefined);
  for (const [name, setting] of present) {
    const form = requiredForm(name, setting, given[name]);
    if (form !== undefined)
      throw new PortageError('operation_refused', `--${name.replaceAll('_', '-')} must be ${form}.`);
  }
  return byProperty(Object.fromEntries(present.map(([name]) => [name, given[name]])));
}

/** What a value must be that is not valid. */
function requiredForm(
  name: SupplierSettingName,
  setting: SupplierSetting,
  value: unknown,
): string | undefined {
  if (setting.type === 'flag') return undefined;
  if (setting.type === 'number') {
    const { min, max } = setting;
    const isValid =
      value === null || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max);
    return isValid ? undefined : `none, or a whole number from ${min} to ${max}`;
  }
  const { choices } = setting;
  if (choices) return choices.includes(String(value)) ? undefined : `one of ${choices.join(', ')}`;
  const [isValid, form] = TEXT_FORMS[name] ?? [];
  return (isValid?.(String(value)) ?? true) ? undefined : form;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import {
  type ImportSupplierEntity,
  ImportSupplierRepository,
  type ImportSupplierSettings,
  OrganisationRepository,
  type RuleSettingValues,
} from '@portage/database';
import { documentKey } from '@portage/documents';
import { CREATION_MODES, IMPORT_SUPPLIER_STATUSES, VALIDATION_PROFILES } from '@portage/domain';
import { getCountries } from 'libphonenumber-js/max';
import { OPERATOR } from '../audit/operator';
import { supplierSetting } from '../operator-rules/rule-setting-text';
import { Refusal } from '../refusal';

type GivenSettings = Partial<Omit<ImportSupplierSettings, 'ruleSettings'>>;

const DEFAULTS: Required<GivenSettings> = {
  region: 'GB',
  creationMode: 'direct',
  profile: 'core',
  documentRoot: '',
  currency: 'GBP',
  timeZone: 'Europe/London',
  verifyDocuments: false,
  rejectUndocumentedFields: false,
  sendMigrationEmails: false,
  retainPayloadDays: null,
};

const MOST_RETAINED_DAYS = 36_500;

/** What an operator does with suppliers (DESIGN 6). Refuses with a sentence that says how to mend the command. */
@Injectable()
export class ImportSuppliers {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly organisations: OrganisationRepository,
    @Inject(OPERATOR) private readonly operator: string,
  ) {}

  /** @param ruleSettings what the account rules need to know of it, each `name=value` */
  async create(
    code: string,
    organisation: string,
    settings: GivenSettings,
    ruleSettings: readonly string[] = [],
  ): Promise<ImportSupplierEntity> {
    if (!/^[^\u0000-\u001f\u007f/]{1,128}$/.test(code))
      throw new Refusal('A supplier code has 1 to 128 characters, no slash and no control characters.');
    const owner = await this.organisations.findByName(organisation);
    if (!owner)
      throw new Refusal(
        `There is no organisation "${organisation}". Create it with: organisation create "${organisation}"`,
      );
    const complete = { ...DEFAULTS, ...checked(settings), ruleSettings: withWritten({}, ruleSettings) };
    const created = await this.suppliers.create(owner.id, code, complete, {
      actor: this.operator,
      action: 'supplier.create',
    });
    if (!created)
      throw new Refusal(
        `The supplier code ${code} is taken. Change that supplier with: supplier set ${code}`,
      );
    return created;
  }

  /** Changes what is given. */
  async set(
    code: string,
    settings: GivenSettings,
    ruleSettings: readonly string[] = [],
  ): Promise<ImportSupplierEntity> {
    const supplier = known(code, await this.suppliers.findByCode(code));
    const change = { ...checked(settings), ruleSettings: withWritten(supplier.ruleSettings, ruleSettings) };
    return known(
      code,
      await this.suppliers.update(code, change, { actor: this.operator, action: 'supplier.set' }),
    );
  }

  async setStatus(code: string, status: string): Promise<ImportSupplierEntity> {
    const wanted = IMPORT_SUPPLIER_STATUSES.find((known) => known === status);
    if (!wanted) throw new Refusal(`A supplier's status is one of ${IMPORT_SUPPLIER_STATUSES.join(', ')}.`);
    const entry = { actor: this.operator, action: 'supplier.set-status' } as const;
    return known(code, await this.suppliers.update(code, { status: wanted }, entry));
  }

  async show(code: string): Promise<ImportSupplierEntity> {
    return known(code, await this.suppliers.findByCode(code));
  }

  async list(): Promise<ImportSupplierEntity[]> {
    return this.suppliers.list();
  }
}

/** Settings with those that were written `name=value`; one without a value goes back to its default. */
function withWritten(settings: RuleSettingValues, written: readonly string[]): RuleSettingValues {
  const all = new Map(Object.entries(settings));
  for (const { name, value } of written.map(supplierSetting)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return Object.fromEntries(all);
}

function known(code: string, supplier: ImportSupplierEntity | undefined): ImportSupplierEntity {
  if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
  return supplier;
}

function checked(settings: GivenSettings): GivenSettings {
  const { region, creationMode, profile, documentRoot, currency, timeZone, retainPayloadDays } = settings;
  if (region !== undefined && !(getCountries() as string[]).includes(region))
    throw new Refusal(`--region ${region} is not an ISO 3166 country code such as GB.`);
  if (creationMode !== undefined && !CREATION_MODES.includes(creationMode))
    throw new Refusal(`--creation-mode is one of ${CREATION_MODES.join(', ')}.`);
  if (profile !== undefined && !VALIDATION_PROFILES.includes(profile))
    throw new Refusal(`--profile is one of ${VALIDATION_PROFILES.join(', ')}.`);
  if (documentRoot !== undefined && documentKey(documentRoot, 'any').outcome === 'refused')
    throw new Refusal(
      '--document-root is a folder such as acme/2026: separated by /, without . and .. between the slashes.',
    );
  if (currency !== undefined && !Intl.supportedValuesOf('currency').includes(currency))
    throw new Refusal(`--currency ${currency} is not an ISO 4217 code such as GBP.`);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new Refusal(`--time-zone ${timeZone} is not an IANA time zone such as Europe/London.`);
  if (retainPayloadDays !== undefined && retainPayloadDays !== null && !isWholeDays(retainPayloadDays))
    throw new Refusal(`--retain-payload-days is none, or a whole number from 0 to ${MOST_RETAINED_DAYS}.`);
  return settings;
}

function isWholeDays(days: number): boolean {
  return Number.isInteger(days) && days >= 0 && days <= MOST_RETAINED_DAYS;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

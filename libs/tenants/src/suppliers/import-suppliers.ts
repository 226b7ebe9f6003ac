import { Injectable } from '@nestjs/common';
import { ActingOperator, documentRootOf, isDocumentRoot, PortageError } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { getCountries } from 'libphonenumber-js/max';
import {
  DocumentRootTaken,
  ImportSupplierRepository,
  type ImportSupplierSettings,
  requireSupplier,
} from './import-supplier.repository';
import type { ImportSupplierEntity, RuleSettingValues } from './import-supplier.entity';
import { OrganisationRepository } from '../access/organisation.repository';
import {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
} from './import-supplier';
import { parseSupplierSetting } from './rule-setting-text';

type SupplierSettings = Partial<Omit<ImportSupplierSettings, 'ruleSettings'>>;

const DEFAULTS: Required<Omit<SupplierSettings, 'documentRoot'>> = {
  region: 'GB',
  creationMode: 'direct',
  profile: 'core',
  currency: 'GBP',
  timeZone: 'Europe/London',
  verifyDocuments: false,
  rejectUndocumentedFields: false,
  sendMigrationEmails: false,
  retainPayloadDays: null,
  v1ErrorFormat: 'standard',
  maxProcessingAccounts: null,
  corrections: true,
  reimportAfterErasure: false,
};

const MAX_RETAIN_PAYLOAD_DAYS = 36_500;

/** The largest limit of accounts processed at once that can be stored. */
const MAX_PROCESSING_ACCOUNTS = 1_000_000;

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
    settings: SupplierSettings,
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
      ...DEFAULTS,
      documentRoot: documentRootOf(code),
      ...validateSettings(settings),
      ruleSettings: mergeRuleSettings({}, ruleSettings),
    };
    const entry = { actor: this.operator.actor, action: 'supplier.create' } as const;
    const created = await refuseTakenRoot(
      complete.documentRoot,
      this.suppliers.create(owner.id, code, complete, entry),
    );
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
    settings: SupplierSettings,
    ruleSettings: readonly string[] = [],
  ): Promise<ImportSupplierEntity> {
    const supplier = await this.suppliers.requireByCode(code);
    const change = {
      ...validateSettings(settings),
      ruleSettings: mergeRuleSettings(supplier.ruleSettings, ruleSettings),
    };
    const entry = { actor: this.operator.actor, action: 'supplier.set' } as const;
    const updated = await refuseTakenRoot(
      change.documentRoot ?? supplier.documentRoot,
      this.suppliers.update(code, change, entry),
    );
    return requireSupplier(code, updated);
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
    return requireSupplier(code, await this.suppliers.update(code, { status: knownStatus }, entry));
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

/** @throws PortageError `operation_refused` if the document root is taken */
async function refuseTakenRoot<Result>(root: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DocumentRootTaken)) throw error;
    throw new PortageError(
      'operation_refused',
      `The document root ${root} is the folder of another supplier, or is inside or above a folder of another ` +
        'organisation. Choose another folder with --document-root. List the folders with: supplier list',
    );
  }
}

function validateSettings(settings: SupplierSettings): SupplierSettings {
  const { region, creationMode, profile, documentRoot, currency, timeZone, retainPayloadDays } = settings;
  if (region !== undefined && !(getCountries() as string[]).includes(region))
    throw new PortageError(
      'operation_refused',
      `--region ${region} is not an ISO 3166 country code such as GB.`,
    );
  if (creationMode !== undefined && !CREATION_MODES.includes(creationMode))
    throw new PortageError(
      'operation_refused',
      `--creation-mode must be one of ${CREATION_MODES.join(', ')}.`,
    );
  if (profile !== undefined && !VALIDATION_PROFILES.includes(profile))
    throw new PortageError(
      'operation_refused',
      `--profile must be one of ${VALIDATION_PROFILES.join(', ')}.`,
    );
  if (documentRoot !== undefined && !isDocumentRoot(documentRoot))
    throw new PortageError(
      'operation_refused',
      "--document-root must be a folder such as acme/2026: names of ASCII letters, digits, spaces and _.,=+@()&'- " +
        'that are separated by /, begin with a letter, a digit or _, and do not end with a dot or a space.',
    );
  if (currency !== undefined && !Intl.supportedValuesOf('currency').includes(currency))
    throw new PortageError(
      'operation_refused',
      `--currency ${currency} is not an ISO 4217 code such as GBP.`,
    );
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new PortageError(
      'operation_refused',
      `--time-zone ${timeZone} is not an IANA time zone such as Europe/London.`,
    );
  if (retainPayloadDays !== undefined && retainPayloadDays !== null && !isRetentionPeriod(retainPayloadDays))
    throw new PortageError(
      'operation_refused',
      `--retain-payload-days must be none, or a whole number from 0 to ${MAX_RETAIN_PAYLOAD_DAYS}.`,
    );
  validateStagingSettings(settings);
  return settings;
}

function validateStagingSettings({ v1ErrorFormat, maxProcessingAccounts }: SupplierSettings): void {
  if (v1ErrorFormat !== undefined && !V1_ERROR_FORMATS.includes(v1ErrorFormat))
    throw new PortageError(
      'operation_refused',
      `--v1-error-format must be one of ${V1_ERROR_FORMATS.join(', ')}.`,
    );
  const isLimit =
    maxProcessingAccounts === null ||
    maxProcessingAccounts === undefined ||
    (Number.isInteger(maxProcessingAccounts) &&
      maxProcessingAccounts > 0 &&
      maxProcessingAccounts <= MAX_PROCESSING_ACCOUNTS);
  if (!isLimit)
    throw new PortageError(
      'operation_refused',
      `--max-processing-accounts must be none, or a whole number from 1 to ${MAX_PROCESSING_ACCOUNTS}.`,
    );
}

function isRetentionPeriod(days: number): boolean {
  return Number.isInteger(days) && days >= 0 && days <= MAX_RETAIN_PAYLOAD_DAYS;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

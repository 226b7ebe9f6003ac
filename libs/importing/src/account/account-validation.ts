import { Inject, Injectable } from '@nestjs/common';
import {
  type Account,
  checkDatabaseRules,
  inPayloadOrder,
  placedFiles,
  type RuleSettings,
  type SchemaContext,
  validateAccount,
  type Validated,
} from '@portage/account-schema';
import { CONFIG, type Config } from '@portage/config';
import type { ImportSupplierEntity, LookupQuestion, RuleSettingValues } from '@portage/database';
import type { Clock, FieldError, ImportSupplierStatus, ValidationProfile } from '@portage/domain';
import { CLOCK } from '../clock-token';
import { MAX_NESTING } from '../max-nesting';
import { DocumentPaths, malformedPaths } from '../documents/document-paths';
import { RuleSettingsDirectory } from '../operator-rules/rule-settings-directory';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';
import { type AccountBody, supplierCodeOf } from './account-body';
import { LookupBatches } from './lookup-batches';
import { type Lookups, PresumedLookups } from './lookups';
import { StoredAccountLookups } from './stored-account-lookups';

/** What of a supplier decides how its accounts are read. */
export interface ReadingSettings {
  profile: ValidationProfile;
  region: string;
  timeZone: string;
  rejectUndocumentedFields: boolean;
  ruleSettings: RuleSettingValues;
  documentRoot: string;
  verifyDocuments: boolean;
  /** Whose stored accounts the account is compared with; none for an unknown supplier. */
  owner?: { organisationId: number; supplierId: number };
}

/**
 * Whether rules about stored accounts are asked at once, or it is presumed that nothing is found for them: then the
 * statement that writes the account has to see to it, which saves a round trip.
 */
export type StoredRules = 'asked' | 'presumed';

interface Presuming {
  /** The account is right only if nothing is found for these; empty where they were asked. */
  preconditions: LookupQuestion[];
}

export type ReadAccount = Validated<Account> & Presuming;

export type CheckedAccount =
  | ({ ok: true; account: Account; supplier: ImportSupplierEntity; ignoredFields: string[] } & Presuming)
  | { ok: false; errors: FieldError[]; ignoredFields: string[] };

const WITHOUT_SUPPLIER: ReadingSettings = {
  profile: 'core',
  region: 'GB',
  timeZone: 'UTC',
  rejectUndocumentedFields: false,
  ruleSettings: {},
  documentRoot: '',
  verifyDocuments: false,
};

/** Checks accounts by the rules of their supplier, for validation, scheduling and creation alike. */
@Injectable()
export class AccountValidation {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly ruleSettings: RuleSettingsDirectory,
    private readonly lookups: LookupBatches,
    private readonly documents: DocumentPaths,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Everything that is wrong with a payload, in the payload's order, or the account (contract 4.6). A supplier that
   * the organisation does not have is an error at `import_supplier`, whether or not somebody else has it.
   *
   * What the request has beside the account and is `undocumented` counts like undocumented fields of the account.
   */
  async check(
    organisationId: number,
    { payload, undocumented }: Pick<AccountBody, 'payload' | 'undocumented'>,
    storedRules: StoredRules = 'asked',
  ): Promise<CheckedAccount> {
    const code = supplierCodeOf(payload);
    const supplier = code === undefined ? undefined : await this.suppliers.find(organisationId, code);
    const result = await this.read(payload, supplier ? settingsOf(supplier) : WITHOUT_SUPPLIER, storedRules);
    const errors = result.ok ? [] : result.errors;
    const rejects = supplier?.rejectUndocumentedFields ?? false;
    if (rejects) {
      const room = Math.max(0, this.config.MAX_ERRORS - errors.length);
      errors.push(...undocumented.slice(0, room).map(unknownField));
    }
    const ignoredFields = rejects ? result.ignoredFields : [...result.ignoredFields, ...undocumented];
    const objection = code === undefined ? undefined : objectionTo(supplier, code);
    if (objection && !errors.some((error) => error.attr === objection.attr))
      insertInOrder(errors, objection, payload);
    if (errors.length > 0 || !result.ok || !supplier) return { ok: false, errors, ignoredFields };
    return { ok: true, account: result.value, supplier, ignoredFields, preconditions: result.preconditions };
  }

  /**
   * Reads a payload by the rules of a supplier: fields and rules first, and where they hold, the rules that need to
   * know what is stored. An account that is wrong has all its errors, whatever is presumed.
   *
   * @throws DocumentStoreUnavailable where documents are verified
   */
  async read(
    payload: unknown,
    settings: ReadingSettings,
    storedRules: StoredRules = 'asked',
  ): Promise<ReadAccount> {
    const { profile, region, timeZone, rejectUndocumentedFields, documentRoot, owner } = settings;
    const context: SchemaContext = {
      ...{ profile, region, timeZone, rejectUndocumentedFields },
      now: this.clock.now(),
      rules: verifying(await this.ruleSettings.forSupplier(settings.ruleSettings), settings),
      limits: {
        arrayItems: this.config.MAX_ARRAY_ITEMS,
        nesting: MAX_NESTING,
        errors: this.config.MAX_ERRORS,
      },
    };
    const result = validateAccount(payload, context);
    if (!result.ok || !owner) return { preconditions: [], ...result };
    const { value: account, ignoredFields } = result;
    const malformed = malformedPaths(documentRoot, placedFiles(account));
    const errorsBeside = async (lookups: Lookups) => {
      const stored = new StoredAccountLookups(
        lookups,
        { ...owner, externalAccountNumber: account.external_account_number },
        (paths) => this.documents.missing(documentRoot, paths),
      );
      const breaches = await checkDatabaseRules(account, context, stored);
      return inPayloadOrder([...malformed, ...breaches], account).slice(0, this.config.MAX_ERRORS);
    };
    const presumed = new PresumedLookups();
    if (storedRules === 'presumed' && (await errorsBeside(presumed)).length === 0)
      return { preconditions: presumed.questions, ...result };
    // All of them, where there are any.
    const errors = await errorsBeside(this.lookups);
    return { preconditions: [], ...(errors.length === 0 ? result : { ok: false, errors, ignoredFields }) };
  }
}

function settingsOf(supplier: ImportSupplierEntity): ReadingSettings {
  const { profile, region, timeZone, rejectUndocumentedFields, ruleSettings } = supplier;
  const { documentRoot, verifyDocuments } = supplier;
  const owner = { organisationId: supplier.organisationId, supplierId: supplier.id };
  return {
    ...{ profile, region, timeZone, rejectUndocumentedFields, ruleSettings },
    ...{ documentRoot, verifyDocuments, owner },
  };
}

/** The whole instance may have its documents verified (`check_file_paths`), or a supplier its own. */
function verifying(rules: RuleSettings, { verifyDocuments }: ReadingSettings): RuleSettings {
  return verifyDocuments ? { ...rules, instance: { ...rules.instance, check_file_paths: true } } : rules;
}

function unknownField(attr: string): FieldError {
  return { attr, code: 'unknown_field', detail: 'This field is not part of the contract.' };
}

/** Why this supplier takes no accounts, for people. */
export function migrationClosedMessage(status: ImportSupplierStatus): string {
  return status === 'Paused'
    ? 'Migrations of this import supplier are paused. Ask the operator when they go on.'
    : 'Migrations of this import supplier are complete. No more accounts are accepted.';
}

function objectionTo(supplier: ImportSupplierEntity | undefined, code: string): FieldError | undefined {
  if (!supplier)
    return {
      attr: 'import_supplier',
      code: 'invalid_choice',
      detail: `"${code.slice(0, 40)}" is not an import supplier of your organisation.`,
    };
  if (supplier.status === 'Ongoing') return undefined;
  return {
    attr: 'import_supplier',
    code: 'import_supplier_migration_not_ongoing',
    detail: migrationClosedMessage(supplier.status),
  };
}

/** Puts an error where its field stands in the payload. */
function insertInOrder(errors: FieldError[], error: FieldError, payload: Record<string, unknown>): void {
  const places = new Map(Object.keys(payload).map((key, place) => [key, place]));
  const placeOf = ({ attr }: FieldError) => places.get(attr.split('.', 1)[0] as string) ?? -1;
  const own = placeOf(error);
  const index = errors.findIndex((other) => placeOf(other) > own);
  errors.splice(index === -1 ? errors.length : index, 0, error);
}

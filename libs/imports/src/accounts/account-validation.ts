import { Inject, Injectable } from '@nestjs/common';
import { type Account, type SchemaContext } from '@portage/account-schema';
import {
  capErrors,
  checkDatabaseRules,
  digestContext,
  findDocumentReferences,
  findWarningsInSteps,
  readValidAccountInSteps,
  sortByPayloadOrder,
  validateAccountInSteps,
} from '@portage/account-schema/service';
import { DocumentPaths, malformedPaths } from '@portage/accounts';
import { CONFIG, type Config, type FieldError, runInSlices } from '@portage/platform';
import {
  buildSupplierError,
  type ImportSupplierEntity,
  migrationClosedMessage,
  SchemaContexts,
  supplierCodeOf,
  type ValidationSettings,
} from '@portage/tenants';
import { DatabaseRules, type Lookups, RecordingLookups } from './database-rules';
import { RuleLookups } from './rule-lookups';
import { StoredLookups } from './stored-lookups';

/** The settings of a supplier that decide how its accounts are read. */
export interface ReadingSettings extends ValidationSettings {
  documentRoot: string;
  verifyDocuments: boolean;
  /** The owner of the stored accounts that the account is compared with. */
  owner: { organisationId: number; supplierId: number };
}

/** A supplier with these settings. */
export interface ReadingSupplier extends Omit<ReadingSettings, 'owner'> {
  id: number;
  organisationId: number;
}

/** The errors of an account in the payload's order, at most MAX_ERRORS, and the number of all errors. */
export interface InvalidAccount {
  ok: false;
  errors: FieldError[];
  errorCount: number;
  ignoredFields: string[];
}

/** A valid account. */
interface ValidAccount {
  ok: true;
  account: Account;
  databaseRules: DatabaseRules;
  ignoredFields: string[];
  /** Digest of the release, the settings and the lists by which it is valid. */
  contextDigest: string;
  /** Finds what is implausible in the account, without stored data. */
  findWarnings: () => Promise<FieldError[]>;
}

/** An account, or its errors. */
export type AccountReading = ValidAccount | InvalidAccount;

/** An account and its supplier, or its errors. */
export type CheckedAccount = (ValidAccount & { supplier: ImportSupplierEntity }) | InvalidAccount;

type Payload = Record<string, unknown>;

/**
 * Checks accounts by the rules of their supplier, for validation, scheduling and creation (contract,
 * "Validate an account").
 *
 * `check` evaluates the rules that depend on stored accounts ({@link DatabaseRules}); `checkPayload` and `readAccepted` leave
 * them to the caller, who looks up for a whole batch at once ({@link AccountValidation.findBreaches}). An account with any
 * other error is always compared with the stored accounts as well, so that it has all its errors.
 */
@Injectable()
export class AccountValidation {
  constructor(
    private readonly contexts: SchemaContexts,
    private readonly lookups: StoredLookups,
    private readonly documents: DocumentPaths,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Checks everything. A supplier that the organisation does not have is an error at `import_supplier`, whether or not
   * another organisation has it.
   *
   * @param supplier the organisation's supplier that the payload names, if there is one
   * @param adapt changes the settings of the supplier for this check
   * @throws DocumentStoreUnavailable where documents are verified
   */
  async check(
    supplier: ImportSupplierEntity | undefined,
    payload: Payload,
    adapt: (settings: ReadingSettings) => ReadingSettings = (settings) => settings,
  ): Promise<CheckedAccount> {
    const read = await this.readFor(supplier, payload, adapt);
    if (!read.ok) return this.conclude(supplier, payload, read);
    const errors = await this.findBreaches(read.databaseRules);
    return this.conclude(supplier, payload, errors.length === 0 ? read : invalid(errors, read.ignoredFields));
  }

  /**
   * As {@link check}, without the database rules. If the payload is valid, the caller evaluates them.
   *
   * @throws DocumentStoreUnavailable where documents are verified
   */
  async checkPayload(supplier: ImportSupplierEntity | undefined, payload: Payload): Promise<CheckedAccount> {
    return this.conclude(supplier, payload, await this.readFor(supplier, payload));
  }

  /**
   * Reads a payload by the rules of a known supplier: fields and payload rules first, then documents. The caller
   * evaluates the database rules.
   *
   * @param validIn the digest of the context in which the payload was valid before. If it is the digest of the present
   * one, the payload rules are not run again.
   * @throws DocumentStoreUnavailable where documents are verified
   */
  async read(payload: unknown, settings: ReadingSettings, validIn?: string | null): Promise<AccountReading> {
    const context = withDocumentRule(await this.contexts.build(settings), settings);
    const contextDigest = digestContext(context);
    const isValid = validIn === contextDigest;
    const read = isValid ? readValidAccountInSteps : validateAccountInSteps;
    const result = await runInSlices(read(payload, context));
    if (!result.ok) return result;
    const { value: account, ignoredFields } = result;
    const { documentRoot, owner } = settings;
    const scope = { ...owner, externalAccountNumber: account.external_account_number };
    const malformed = malformedPaths(documentRoot, findDocumentReferences(account));
    const evaluate = async (lookups: Lookups) => {
      const ruleLookups = new RuleLookups(lookups, scope, (paths) =>
        this.documents.findMissing(documentRoot, paths),
      );
      const breaches = await checkDatabaseRules(account, context, ruleLookups);
      return sortByPayloadOrder([...malformed, ...breaches], account);
    };
    const recording = new RecordingLookups();
    const documentErrors = await evaluate(recording);
    if (documentErrors.length > 0) return invalid(await evaluate(this.lookups), ignoredFields);
    return {
      ok: true,
      account,
      databaseRules: new DatabaseRules(recording.recorded, evaluate),
      ignoredFields,
      contextDigest,
      findWarnings: async () => runInSlices(findWarningsInSteps(account, context)),
    };
  }

  /** Evaluates database rules by looking up the stored accounts. */
  async findBreaches(rules: DatabaseRules): Promise<FieldError[]> {
    return rules.findBreaches(this.lookups);
  }

  /**
   * As {@link read}, for an account that is imported or corrected. The API has checked undocumented fields when it accepted
   * the payload.
   */
  async readAccepted(run: {
    payload: unknown;
    contextDigest: string | null;
    supplier: Omit<ReadingSupplier, 'rejectUndocumentedFields'>;
  }): Promise<AccountReading> {
    const settings = settingsOf({ ...run.supplier, rejectUndocumentedFields: false });
    return this.read(run.payload, settings, run.contextDigest);
  }

  private async readFor(
    supplier: ImportSupplierEntity | undefined,
    payload: Payload,
    adapt: (settings: ReadingSettings) => ReadingSettings = (settings) => settings,
  ): Promise<AccountReading> {
    if (supplier) return this.read(payload, adapt(settingsOf(supplier)));
    const context = await this.contexts.build(undefined);
    const result = await runInSlices(validateAccountInSteps(payload, context));
    // The error of the supplier is added. It cannot be compared with stored accounts.
    return result.ok ? invalid([], result.ignoredFields) : result;
  }

  /** Adds the error of the supplier. */
  private conclude(
    supplier: ImportSupplierEntity | undefined,
    payload: Payload,
    read: AccountReading,
  ): CheckedAccount {
    const supplierError = findSupplierError(supplier, supplierCodeOf(payload));
    if (read.ok && supplier && !supplierError) return { ...read, supplier };
    const errors = read.ok ? [] : [...read.errors];
    let errorCount = read.ok ? 0 : read.errorCount;
    const { ignoredFields } = read;
    if (supplierError && !errors.some(({ attr }) => attr === supplierError.attr)) {
      errorCount += 1;
      insertInOrder(errors, supplierError, payload);
    }
    const listed = capErrors(errors, errorCount, this.config.MAX_ERRORS);
    return { ok: false, errors: listed, errorCount, ignoredFields };
  }
}

function invalid(errors: FieldError[], ignoredFields: string[]): InvalidAccount {
  return { ok: false, errors, errorCount: errors.length, ignoredFields };
}

function settingsOf(supplier: ReadingSupplier): ReadingSettings {
  return { ...supplier, owner: { organisationId: supplier.organisationId, supplierId: supplier.id } };
}

/** Documents are verified for the whole installation (`check_file_paths`) or for single suppliers. */
function withDocumentRule(context: SchemaContext, { verifyDocuments }: ReadingSettings): SchemaContext {
  if (!verifyDocuments) return context;
  const { rules } = context;
  return { ...context, rules: { ...rules, instance: { ...rules?.instance, check_file_paths: true } } };
}

function findSupplierError(
  supplier: ImportSupplierEntity | undefined,
  code: string | undefined,
): FieldError | undefined {
  if (code === undefined || supplier?.status === 'Ongoing') return undefined;
  if (!supplier) return buildSupplierError(code);
  return {
    attr: 'import_supplier',
    code: 'import_supplier_migration_not_ongoing',
    detail: migrationClosedMessage(supplier.status),
  };
}

/** Inserts an error before the errors of later fields of the payload. */
export function insertInOrder(errors: FieldError[], error: FieldError, payload: Payload): void {
  const positions = new Map(Object.keys(payload).map((key, position) => [key, position]));
  const positionOf = ({ attr }: FieldError) => positions.get(attr.split('.', 1)[0] as string) ?? -1;
  const position = positionOf(error);
  const index = errors.findIndex((other) => positionOf(other) > position);
  errors.splice(index === -1 ? errors.length : index, 0, error);
}

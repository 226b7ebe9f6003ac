import { Injectable } from '@nestjs/common';
import { validateBodyInSteps } from '@portage/account-schema/service';
import { Batcher, type FieldError, PortageError, READ_LIMITS, runInSlices } from '@portage/platform';
import {
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  requireOngoing,
  SchemaContexts,
} from '@portage/tenants';
import {
  type AccountName,
  type ImportedAccount,
  ImportedAccountRepository,
} from '../account/imported-account.repository';

/** A valid body about an imported account. */
export interface AccountTargetedBody<Body> {
  body: Body;
  /** Undefined if the organisation has no supplier with this code, whether or not another organisation has. */
  supplier: ImportSupplierEntity | undefined;
  externalAccountNumber: string;
  /** Undefined if no account was created yet, or none was sent. */
  account: ImportedAccount | undefined;
  ignoredFields: string[];
}

/** The fields that name the account in a body. `account_number` is the older name (contract, "Note"). */
export interface AccountTarget {
  import_supplier: string;
  external_account_number?: string;
  account_number?: string;
}

/**
 * Validates the bodies of requests about imported accounts and finds the account (contract, "Add notes" to
 * "Create a payment instruction").
 */
@Injectable()
export class ImportedAccounts {
  /** Concurrent searches are one statement. */
  private readonly searches: Batcher<AccountName, ImportedAccount | undefined>;

  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly contexts: SchemaContexts,
    accounts: ImportedAccountRepository,
  ) {
    this.searches = new Batcher<AccountName, ImportedAccount | undefined>(
      async (names) => accounts.find(names),
      READ_LIMITS,
    );
  }

  /**
   * Validates a body and finds the account that it names.
   *
   * @throws PortageError `import_supplier_migration_not_ongoing`; `validation_error` with all errors
   */
  async read<Body extends AccountTarget>(
    type: new () => Body,
    organisationId: number,
    submitted: Record<string, unknown>,
  ): Promise<AccountTargetedBody<Body>> {
    const supplier = await this.suppliers.findNamed(organisationId, submitted);
    requireOngoing(supplier, { domain: 'import_process' });
    const context = await this.contexts.build(supplier);
    const read = await runInSlices(validateBodyInSteps(type, submitted, context));
    if (!read.ok) throw buildValidationError(read.errors, read.errorCount);
    const externalAccountNumber = read.value.external_account_number ?? read.value.account_number ?? '';
    const account = supplier && (await this.searches.add({ supplierId: supplier.id, externalAccountNumber }));
    return { body: read.value, supplier, externalAccountNumber, account, ignoredFields: read.ignoredFields };
  }

  /**
   * As {@link read}, for an account that must exist.
   *
   * @throws PortageError `account_not_found`, also if the account was sent but is not created yet
   */
  async require<Body extends AccountTarget>(
    type: new () => Body,
    organisationId: number,
    submitted: Record<string, unknown>,
  ): Promise<AccountTargetedBody<Body> & { supplier: ImportSupplierEntity; account: ImportedAccount }> {
    const read = await this.read(type, organisationId, submitted);
    const { supplier, account } = read;
    if (!supplier || !account) throw buildAccountNotFound();
    return { ...read, supplier, account };
  }
}

/**
 * Builds the 400 for a body that is not valid.
 *
 * @param errorCount the number of all errors, if not all of them are listed
 */
export function buildValidationError(
  errors: readonly FieldError[],
  errorCount: number = errors.length,
): PortageError {
  return new PortageError(
    'validation_error',
    `The body is not valid: ${describeErrorCount(errorCount)}.`,
    errorMembers(errors, errorCount),
  );
}

/** A number of errors, in words. */
export function describeErrorCount(count: number): string {
  return `${count} ${count === 1 ? 'error' : 'errors'}`;
}

/** The members `errors` and, if not all errors are listed, `error_count` of an error body. */
export function errorMembers(
  errors: readonly FieldError[],
  errorCount: number,
): { errors: readonly FieldError[]; error_count?: number } {
  return { errors, ...(errorCount > errors.length && { error_count: errorCount }) };
}

/** Builds the 404 for an account that does not exist, is not imported yet or has been erased. */
export function buildAccountNotFound(): PortageError {
  return new PortageError(
    'account_not_found',
    'There is no such imported account. Check import_supplier and external_account_number, and that the account has been imported.',
  );
}

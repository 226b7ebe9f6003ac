import { Inject, Injectable } from '@nestjs/common';
import { type SchemaContext, validateBody } from '@portage/account-schema';
import { Batcher } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  type AccountName,
  type ImportedAccount,
  ImportedAccountRepository,
  type ImportSupplierEntity,
} from '@portage/database';
import { type Clock, PortageError } from '@portage/domain';
import { migrationClosedMessage } from '../account/account-validation';
import { isItemLevelError } from '../item-level-error';
import { supplierCodeOf } from '../account/account-body';
import { CLOCK } from '../clock-token';
import { MAX_NESTING } from '../max-nesting';
import { RuleSettingsDirectory } from '../operator-rules/rule-settings-directory';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';

/** A body about an imported account, read and checked. */
export interface AccountTargetedBody<Body> {
  body: Body;
  /** Undefined where the organisation has none of this code, whether or not somebody else has. */
  supplier: ImportSupplierEntity | undefined;
  externalAccountNumber: string;
  /** Undefined where no account has been created from it, or nothing was ever sent. */
  account: ImportedAccount | undefined;
  ignoredFields: string[];
}

/** What every body about an imported account says of it. `account_number` is the older name (contract 2.4). */
export interface AccountTarget {
  import_supplier: string;
  external_account_number?: string;
  account_number?: string;
}

/** Reads what is sent for imported accounts, and finds the account: contract 4.2 to 4.5 all begin so. */
@Injectable()
export class ImportedAccounts {
  private readonly finding: Batcher<AccountName, ImportedAccount | undefined>;

  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly ruleSettings: RuleSettingsDirectory,
    accounts: ImportedAccountRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.finding = new Batcher<AccountName, ImportedAccount | undefined>(
      async (names) => accounts.find(names),
      {
        maxSize: config.LOOKUP_BATCH_QUESTIONS,
        maxConcurrent: config.BATCHES_AT_ONCE,
        slowAfterMs: config.BATCH_SLOW_AFTER_MS,
        retryIndividually: isItemLevelError,
      },
    );
  }

  /**
   * @throws PortageError `import_supplier_migration_not_ongoing`; `validation_error` with everything that is wrong
   */
  async read<Body extends AccountTarget>(
    type: new () => Body,
    organisationId: number,
    given: Record<string, unknown>,
  ): Promise<AccountTargetedBody<Body>> {
    const code = supplierCodeOf(given);
    const supplier = code === undefined ? undefined : await this.suppliers.find(organisationId, code);
    if (supplier && supplier.status !== 'Ongoing')
      throw new PortageError(
        'import_supplier_migration_not_ongoing',
        migrationClosedMessage(supplier.status),
        {
          domain: 'import_process',
        },
      );
    const read = validateBody(type, given, await this.context(supplier));
    if (!read.ok) throw invalid(read.errors);
    const externalAccountNumber = read.value.external_account_number ?? read.value.account_number ?? '';
    const account = supplier && (await this.finding.add({ supplierId: supplier.id, externalAccountNumber }));
    return { body: read.value, supplier, externalAccountNumber, account, ignoredFields: read.ignoredFields };
  }

  /**
   * As {@link read}, for an account that must be there.
   *
   * @throws PortageError `account_not_found` also where the account was sent and is not created yet
   */
  async require<Body extends AccountTarget>(
    type: new () => Body,
    organisationId: number,
    given: Record<string, unknown>,
  ): Promise<AccountTargetedBody<Body> & { supplier: ImportSupplierEntity; account: ImportedAccount }> {
    const read = await this.read(type, organisationId, given);
    const { supplier, account } = read;
    if (!supplier || !account) throw accountNotFound();
    return { ...read, supplier, account };
  }

  private async context(supplier: ImportSupplierEntity | undefined): Promise<SchemaContext> {
    return {
      profile: supplier?.profile ?? 'core',
      region: supplier?.region ?? 'GB',
      timeZone: supplier?.timeZone ?? 'UTC',
      rejectUndocumentedFields: supplier?.rejectUndocumentedFields ?? false,
      now: this.clock.now(),
      rules: await this.ruleSettings.forSupplier(supplier?.ruleSettings ?? {}),
      limits: {
        arrayItems: this.config.MAX_ARRAY_ITEMS,
        nesting: MAX_NESTING,
        errors: this.config.MAX_ERRORS,
      },
    };
  }
}

/** The 400 of a body with errors (DESIGN 1, error bodies). */
export function invalid(errors: readonly { detail: string; code: string; attr: string }[]): PortageError {
  const count = errors.length;
  return new PortageError(
    'validation_error',
    `The body is not valid: ${count} ${count === 1 ? 'error' : 'errors'}.`,
    { errors },
  );
}

export function accountNotFound(): PortageError {
  return new PortageError(
    'account_not_found',
    'There is no such imported account. Check import_supplier and external_account_number, and that the account has been imported.',
  );
}

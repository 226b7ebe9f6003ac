import { Injectable } from '@nestjs/common';
import { Account } from '@portage/account-schema';
import { validateObjectInSteps } from '@portage/account-schema/service';
import { PortageError, runInSlices } from '@portage/platform';
import {
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  requireOngoing,
  SchemaContexts,
} from '@portage/tenants';
import { ImportProcessStagingRepository } from '../processes/import-process-staging.repository';
import { AccountValidation, type CheckedAccount, type ReadingSettings } from '../accounts/account-validation';
import { buildAccountErrors, buildAlreadyImported } from './staging-errors';
import { PROCESS } from '../processes/process-error';
import { identifierAt } from '../accounts/account-body';

/** An account that can be staged, or the 400 that refuses it. */
export type CheckedStagedAccount =
  | Extract<CheckedAccount, { ok: true }>
  | { ok: false; refusal: PortageError; ignoredFields: string[] };

/** A converted account that can be staged, or the 400 that refuses it. */
export type ConvertedStagedAccount =
  | { ok: true; converted: object; ignoredFields: string[] }
  | { ok: false; refusal: PortageError; ignoredFields: string[] };

/** Checks accounts of the staging endpoints (v1) by the same rules as v2, with the older forms of errors. */
@Injectable()
export class StagedAccountValidation {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly validation: AccountValidation,
    private readonly contexts: SchemaContexts,
    private readonly staging: ImportProcessStagingRepository,
  ) {}

  /**
   * Checks an account. A supplier that the organisation does not have is an error at `import_supplier`.
   *
   * @throws PortageError `import_supplier_migration_not_ongoing`, `account_import_process_already_imported`;
   * DocumentStoreUnavailable where documents are verified
   */
  async check(organisationId: number, payload: Record<string, unknown>): Promise<CheckedStagedAccount> {
    const supplier = await this.suppliers.findNamed(organisationId, payload);
    if (supplier) await this.requireImportable(supplier, payload);
    const checked = await this.validation.check(supplier, payload, allowLaterTeam);
    if (checked.ok) return checked;
    const refusal = buildAccountErrors(checked.errors, payload, supplier?.v1ErrorFormat ?? 'standard');
    return { ok: false, refusal, ignoredFields: checked.ignoredFields };
  }

  /**
   * Converts an account as it would be accepted: phone numbers in E.164, decimals as exact text, blanks dropped.
   * Undocumented fields stay as they came.
   *
   * @returns the account, or the 400 that refuses it
   */
  async convert(organisationId: number, payload: Record<string, unknown>): Promise<ConvertedStagedAccount> {
    const checked = await this.check(organisationId, payload);
    if (!checked.ok) return checked;
    const context = await this.contexts.build(checked.supplier);
    const keeping = { ...context, keepUndocumentedFields: true };
    const read = await runInSlices(validateObjectInSteps(Account, payload, keeping));
    if (!read.ok) throw new Error('A valid account could not be converted.');
    return { ok: true, converted: read.value, ignoredFields: checked.ignoredFields };
  }

  private async requireImportable(
    supplier: ImportSupplierEntity,
    payload: Record<string, unknown>,
  ): Promise<void> {
    requireOngoing(supplier, PROCESS);
    const number = identifierAt(payload, 'external_account_number');
    const accountNumber =
      number === undefined ? undefined : await this.staging.findAccountNumber(supplier, number);
    if (number !== undefined && accountNumber !== undefined)
      throw buildAlreadyImported(number, accountNumber);
  }
}

/** The team of an account may be named by the request that processes it, so it is not missing before. */
function allowLaterTeam(settings: ReadingSettings): ReadingSettings {
  const { auto_allocate_operations_team: isAutomatic, ...others } = settings.ruleSettings;
  return isAutomatic === false ? { ...settings, ruleSettings: others } : settings;
}

import { Inject, Injectable } from '@nestjs/common';
import { capErrors } from '@portage/account-schema/service';
import { type Clock, CLOCK, CONFIG, type Config, type FieldError } from '@portage/platform';
import { ImportSupplierDirectory, type ImportSupplierEntity } from '@portage/tenants';
import { ImportProcessFinder } from '../processes/import-process-finder';
import { hashPayload, identifierAt, parseAccountBody } from './account-body';
import { AccountValidation, type CheckedAccount, insertInOrder } from './account-validation';
import { ERASED_DETAIL, IDENTIFIER_TAKEN_DETAIL, IN_PROGRESS_DETAIL } from './account-refusal';
import { mergeWarnings } from './import-accounts';
import { SharedValues } from './shared-values';
import { findTaskParamsErrors, parseDryRun } from './task-params';

/** The result of a validation: no errors, or those listed, at most MAX_ERRORS, and the number of all errors. */
export interface ValidatedAccount {
  errors: FieldError[];
  errorCount: number;
  ignoredFields: string[];
  /** What is implausible in a valid account, if the request has asked for it. */
  warnings: readonly FieldError[];
}

type Payload = Record<string, unknown>;

/** Validates an account body without storing anything (contract, "Validate an account"). */
@Injectable()
export class ValidateAccount {
  constructor(
    private readonly validation: AccountValidation,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessFinder,
    private readonly sharedValues: SharedValues,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Finds everything for which scheduling would refuse the body now: errors of the account, of `task_params`, and
   * conflicts with the import processes of the supplier.
   *
   * @param withWarnings true to find what is implausible in a valid account as well
   * @throws DocumentStoreUnavailable where documents are verified
   */
  async validate(
    organisationId: number,
    body: Record<string, unknown>,
    withWarnings = false,
  ): Promise<ValidatedAccount> {
    const { payload, taskParams } = parseAccountBody(body);
    const supplier = await this.suppliers.findNamed(organisationId, payload);
    const [checked, conflicts] = await Promise.all([
      this.validation.check(supplier, payload),
      supplier ? this.findConflicts(supplier, payload, taskParams) : [],
    ]);
    const paramsErrors = findTaskParamsErrors(taskParams, this.clock.now(), supplier?.timeZone ?? 'UTC');
    const errors = checked.ok ? [] : [...checked.errors];
    for (const conflict of conflicts) insertInOrder(errors, conflict, payload);
    for (const error of paramsErrors) errors.push(error);
    const errorCount = (checked.ok ? 0 : checked.errorCount) + conflicts.length + paramsErrors.length;
    return {
      errors: capErrors(errors, errorCount, this.config.MAX_ERRORS),
      errorCount,
      ignoredFields: checked.ignoredFields,
      warnings: withWarnings && errorCount === 0 ? await this.findWarnings(checked) : [],
    };
  }

  private async findWarnings(checked: CheckedAccount): Promise<readonly FieldError[]> {
    if (!checked.ok) return [];
    const { account, supplier } = checked;
    const { organisationId, id: supplierId } = supplier;
    const scope = { organisationId, supplierId, externalAccountNumber: account.external_account_number };
    const [own, [shared = []]] = await Promise.all([
      checked.findWarnings(),
      this.sharedValues.findWarnings([{ account, scope }]),
    ]);
    return mergeWarnings(own, shared, account);
  }

  private async findConflicts(
    supplier: ImportSupplierEntity,
    payload: Payload,
    taskParams: Record<string, unknown> | undefined,
  ): Promise<FieldError[]> {
    const number = identifierAt(payload, 'external_account_number');
    if (number === undefined) return [];
    const ownIdentifier = identifierAt(payload, 'external_identifier');
    const [process, named] = await Promise.all([
      this.processes.find('external_account_number', supplier.id, number),
      this.processes.find('external_identifier', supplier.id, ownIdentifier ?? number),
    ]);
    const errors: FieldError[] = [];
    if (process && process.accountNumber !== null) {
      if (!process.isErased || !supplier.reimportAfterErasure)
        errors.push({
          attr: 'external_account_number',
          code: 'account_import_process_already_imported',
          detail: process.isErased
            ? ERASED_DETAIL
            : `This account has been imported already, as ${process.accountNumber}.`,
        });
    } else if (process?.status === 'IN_PROGRESS') {
      const { payloadDigest } = hashPayload(JSON.stringify(payload), {});
      const isSame =
        process.payloadDigest === payloadDigest.toString('base64') &&
        process.isDryRun === parseDryRun(taskParams ?? {});
      if (!isSame)
        errors.push({
          attr: 'external_account_number',
          code: 'import_process_in_progress',
          detail: IN_PROGRESS_DETAIL,
        });
    }
    if (named && named.externalAccountNumber !== number)
      errors.push({
        attr: ownIdentifier === undefined ? 'external_account_number' : 'external_identifier',
        code: 'external_identifier_already_exists',
        detail: IDENTIFIER_TAKEN_DETAIL,
      });
    return errors;
  }
}

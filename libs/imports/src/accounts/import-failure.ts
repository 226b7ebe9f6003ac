import { CorrectionRefused, isTransient } from '@portage/accounts';
import type { FieldError, ProcessError } from '@portage/platform';
import { type ImportSupplierStatus, migrationClosedMessage } from '@portage/tenants';
import type { FailedField } from '../processes/import-process.entity';

/** Why an import has ended without an account, as its process shows it. */
export interface ImportFailure extends Pick<ProcessError, 'code' | 'detail'> {
  /** The fields that it is about, at most {@link MAX_FIELDS}. Absent if it is about the account as a whole. */
  fields?: readonly FailedField[];
}

/** Fields that a failure names. */
const MAX_FIELDS = 20;

/** Runs of one version. One that exceeds them probably crashes its workers, so it is failed. */
const MAX_ATTEMPTS = 25;

/** The error for a violated constraint of the database, by the name of the constraint. */
const BROKEN_CONSTRAINTS: Readonly<Record<string, FieldError>> = {
  account_external_account_number: {
    attr: 'external_account_number',
    code: 'account_import_process_already_imported',
    detail: 'Another account of this supplier has the same external_account_number.',
  },
  account_reference_value: {
    attr: 'references',
    code: 'reference_already_exists',
    detail: 'Another account of this supplier has one of the references.',
  },
  historical_statement_identity: {
    attr: 'historical_statements',
    code: 'historical_statement_already_exists',
    detail: 'Two statements of the account have the same statement_id.',
  },
  // A concurrent import has written these for another account. One that has ended before is found by the rules.
  debt_of_one_account: {
    attr: 'debts',
    code: 'cais_reference_already_in_use_on_another_account',
    detail: 'Another account has one of the CAIS references.',
  },
  held_role_exclusive: {
    attr: 'customers',
    code: 'customer_has_exclusive_role_conflict',
    detail: 'A customer has an exclusive role and, on another account, another role.',
  },
  charged_period_of_one_account: {
    attr: 'current_statement_transactions',
    code: 'line_items_overlap_already_charged_period',
    detail: 'Another account has been charged for a day of one of the supply points.',
  },
  import_process_identifier: {
    attr: 'external_identifier',
    code: 'external_identifier_already_exists',
    detail: 'Another account of this supplier has the same external_identifier.',
  },
  account_external_identifier: {
    attr: 'external_identifier',
    code: 'external_identifier_already_exists',
    detail: 'Another account of this supplier has the same external_identifier.',
  },
};

/** The error of an account that the database refused, by the code that its process ended with. */
export function findConstraintError(code: string): FieldError | undefined {
  return Object.values(BROKEN_CONSTRAINTS).find((error) => error.code === code);
}

/** Has the detail of a single error, or the codes of several, which the validate endpoint returns in full. */
export function failureOfValidation(errors: readonly FieldError[]): ImportFailure {
  const fields = errors.slice(0, MAX_FIELDS).map(({ attr, code }) => ({ attr, code }));
  const [first] = errors;
  if (first && errors.length === 1)
    return { code: first.code, detail: `${first.attr}: ${first.detail}`, fields };
  const named = fields.map(({ attr, code }) => `${attr}: ${code}`);
  return {
    code: 'import_process_failed_validation',
    detail: `The account data is not valid (${named.join(', ')}). See /v2/data-import/accounts/validate/.`,
    fields,
  };
}

/** The failure of a run that is not to begin. A paused supplier holds what has not begun; what has begun goes on. */
export function findObstacle(run: {
  supplier: { status: ImportSupplierStatus };
  attempt: number;
}): ImportFailure | undefined {
  const { status } = run.supplier;
  if (status === 'Complete')
    return { code: 'import_supplier_migration_not_ongoing', detail: migrationClosedMessage(status) };
  if (run.attempt > MAX_ATTEMPTS)
    return { code: 'error', detail: `Started ${MAX_ATTEMPTS} times without an outcome.` };
  return undefined;
}

/**
 * The failure for an error that was thrown while the account was built, created or corrected.
 *
 * @param work what was to be done to the account
 */
export function failureOf(error: unknown, work: 'created' | 'corrected'): ImportFailure {
  if (error instanceof CorrectionRefused) return failureOfValidation(error.obstacles);
  if (isTransient(error))
    return {
      code: 'temporarily_unavailable',
      detail: `The account could not be ${work} for reasons that will pass. Send it again.`,
    };
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
  const broken = typeof constraint === 'string' ? BROKEN_CONSTRAINTS[constraint] : undefined;
  if (!broken)
    return {
      code: 'error',
      detail: `The account could not be ${work}. The operator can see why in the log.`,
    };
  const { attr, code, detail } = broken;
  return { code, detail, fields: [{ attr, code }] };
}

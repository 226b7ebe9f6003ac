import { type FieldError, nestFieldErrors, PortageError, ShapedError } from '@portage/platform';
import type { V1ErrorFormat } from '@portage/tenants';
import { PROCESS } from '../processes/process-error';

/** Builds the 400 for an account that has been imported already. */
export function buildAlreadyImported(externalAccountNumber: string, accountNumber: string): PortageError {
  const detail = `The account import process with the account number ${externalAccountNumber} has already been imported.`;
  return new ShapedError('account_import_process_already_imported', detail, {
    external_account_number: externalAccountNumber,
    platform_account_number: accountNumber,
    non_field_errors: [detail],
  });
}

/** Builds the 400 for an account that is not valid, in the form that its supplier expects. */
export function buildAccountErrors(
  errors: readonly FieldError[],
  payload: Record<string, unknown>,
  format: V1ErrorFormat,
): PortageError {
  const count = errors.length;
  const detail = `The account data is not valid: ${count} ${count === 1 ? 'error' : 'errors'}.`;
  return format === 'fields'
    ? new ShapedError('account_failed_validation', detail, nestFieldErrors(errors, payload))
    : new PortageError('account_failed_validation', detail, { errors });
}

/** Builds the 400 for an account whose process is queued or running. */
export function buildInProgress(): PortageError {
  return new PortageError(
    'import_process_in_progress',
    'This account is being processed. Wait for the outcome and send it again.',
    PROCESS,
  );
}

/** Builds the 400 for an account that is not staged. Those of other organisations get the same answer. */
export function buildNotStaged(): PortageError {
  return new PortageError(
    'import_process_does_not_exist',
    'There is no staged account with this import_supplier_code and external_account_number. Stage it first with /v1/data-import/account-import-process/create-or-update/.',
    PROCESS,
  );
}

/** Builds the 400 for an operations team that is unknown, missing, or given where the supplier allocates it. */
export function buildTeamError(
  code:
    | 'operations_team_name_does_not_exist'
    | 'operations_team_should_be_provided'
    | 'operations_team_provided_when_using_auto_allocation',
): PortageError {
  const details = {
    operations_team_name_does_not_exist:
      'There is no operations team with this name. Ask the operator for the names of the teams.',
    operations_team_should_be_provided:
      'Name the team that looks after the account: operations_team_name of the request or of the account.',
    operations_team_provided_when_using_auto_allocation:
      'The platform allocates the teams of this import supplier. Send the request without operations_team_name.',
  };
  return new PortageError(code, details[code], PROCESS);
}

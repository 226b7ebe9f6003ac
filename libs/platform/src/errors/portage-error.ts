import type { VendorFailureCode, VendorRefusalCode } from './vendor-codes';

/** Every stable error code of Portage outside a validation report (contract, "Errors"). */
export type ErrorCode =
  | 'parse_error'
  | 'validation_error'
  | 'misplaced_parameter'
  | 'account_failed_validation'
  | 'import_process_failed_validation'
  | 'account_import_process_already_imported'
  | 'import_process_does_not_exist'
  | 'import_process_not_pending'
  | 'operations_team_name_does_not_exist'
  | 'operations_team_should_be_provided'
  | 'operations_team_provided_when_using_auto_allocation'
  /** A dry run of a staged account that found nothing: the older contract answers it with an error of this code. */
  | '400'
  | 'import_process_in_progress'
  | 'import_supplier_migration_not_ongoing'
  | 'external_identifier_already_exists'
  | 'schedule_window_start_in_past'
  | 'schedule_window_start__after_end'
  | 'schedule_window_start_too_far_in_future'
  | 'schedule_window_end_too_far_in_future'
  | 'idempotency_key_reused'
  | 'submission_reference_already_exists'
  | 'submission_not_open'
  | 'upload_stalled'
  | 'webhook_endpoint_not_verified'
  | 'quota_reached'
  | 'transaction_outside_open_statement_period'
  | 'line_items_overlap_already_charged_period'
  | 'ledger_balance_out_of_range'
  | 'not_authenticated'
  | 'authentication_failed'
  | 'token_expired'
  | 'forbidden'
  | 'not_found'
  | 'account_not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'operator_session_required'
  | 'operator_login_failed'
  | 'totp_required'
  | 'operator_role_required'
  | 'csrf_token_invalid'
  | 'password_change_required'
  | 'throttled'
  | 'operation_refused'
  | 'confirmation_required'
  | 'error'
  | 'unavailable'
  | VendorRefusalCode
  | VendorFailureCode;

/**
 * An expected error with a stable code. `detail` is a sentence for people and may change. `members` are the additional
 * members of the error body in the contract.
 */
export class PortageError extends Error {
  override readonly name = 'PortageError';

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

/** An error whose whole body has a form of its own in the contract. */
export class ShapedError extends PortageError {
  /** @param body the body of the response, instead of `detail`, `code` and members */
  constructor(
    code: ErrorCode,
    detail: string,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(code, detail);
  }
}

/** A validation error (contract, "Validation error"). */
export interface FieldError {
  detail: string;
  code: string;
  /** Dotted path from the root of the body with zero-based list positions: `customers.0.landline`. */
  attr: string;
}

/**
 * The error of a failed import process, as stored and as shown in `latest_error` (contract, "Import process in v2").
 */
export interface ProcessError {
  code: string;
  detail: string;
  domain: 'import_process';
}

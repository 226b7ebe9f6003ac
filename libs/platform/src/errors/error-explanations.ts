import { VENDOR_FAILURES, VENDOR_REFUSALS } from './vendor-codes';
import type { ErrorCode } from './portage-error';

/** What an error code means, and what its client does. */
export interface ErrorExplanation {
  explanation: string;
  fix: string;
}

const REPEAT = 'Send the same request again after the time in Retry-After.';

/** Explains every error code outside of validation reports. */
export const ERROR_EXPLANATIONS: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  parse_error: {
    explanation: 'The request is not HTTP with a JSON object in UTF-8.',
    fix: 'Send a JSON object in UTF-8; the detail says where reading stopped.',
  },
  validation_error: {
    explanation: 'Fields of the body, query parameters or headers are not valid.',
    fix: 'Correct what `errors` lists, each at its path `attr`.',
  },
  misplaced_parameter: {
    explanation:
      'A parameter of the import or of the query is in a place where it has no effect, so nothing was done.',
    fix: 'Send each parameter that `errors` lists where its detail says, or leave it out.',
  },
  account_failed_validation: {
    explanation: 'The account is not valid.',
    fix: 'Correct what `errors` lists, each at its path `attr`.',
  },
  import_process_failed_validation: {
    explanation: 'The account is not valid, so its import was not scheduled or has ended.',
    fix: 'Post the account to /v2/data-import/accounts/validate/, correct every error and send it again.',
  },
  account_import_process_already_imported: {
    explanation: 'The account has been imported already.',
    fix: 'Nothing is to be done. The response has the platform account number.',
  },
  import_process_does_not_exist: {
    explanation: 'No account of this number was sent, or it is not staged.',
    fix: 'Check supplier and account number, and send or stage the account first.',
  },
  import_process_not_pending: {
    explanation: 'The import has ended without an account, so it cannot be cancelled.',
    fix: 'Nothing is to be done. To import the account, send it again.',
  },
  import_process_in_progress: {
    explanation: 'The account is queued or being processed with another payload.',
    fix: 'Read its status and wait for the outcome. An imported account is not replaced; otherwise send it again.',
  },
  import_supplier_migration_not_ongoing: {
    explanation: 'The migration of the import supplier is paused or complete.',
    fix: 'Ask the operator when the migration goes on.',
  },
  external_identifier_already_exists: {
    explanation: 'Another account of the supplier has the same external_identifier.',
    fix: 'Send a unique external_identifier, or leave it out.',
  },
  schedule_window_start_in_past: {
    explanation: 'The schedule window starts in the past.',
    fix: 'Leave schedule_window_start out to start at once.',
  },
  schedule_window_start__after_end: {
    explanation: 'The schedule window ends before it starts.',
    fix: 'Send a start before the end.',
  },
  schedule_window_start_too_far_in_future: {
    explanation: 'The schedule window starts more than 90 days ahead.',
    fix: 'Send an earlier start.',
  },
  schedule_window_end_too_far_in_future: {
    explanation: 'The schedule window ends too far in the future.',
    fix: 'Send an earlier end, or leave it out.',
  },
  idempotency_key_reused: {
    explanation: 'The Idempotency-Key came with another request before.',
    fix: 'Use a new key for a new request.',
  },
  submission_reference_already_exists: {
    explanation: 'The supplier has a submission with the same reference that was opened with another body.',
    fix: 'Choose another reference, or open the submission with the body of the first request.',
  },
  submission_not_open: {
    explanation: 'The submission was completed or aborted, so it takes no more accounts.',
    fix: 'Open another submission for the accounts that are missing.',
  },
  upload_stalled: {
    explanation: 'The sender of an upload sent nothing for 30 seconds. The lines before that are stored.',
    fix: 'Send the whole file again: lines that were accepted are counted as repeated.',
  },
  webhook_endpoint_not_verified: {
    explanation: 'The receiver of the webhook endpoint has not answered a challenge yet.',
    fix: 'Give the receiver the secret, and verify the endpoint.',
  },
  quota_reached: {
    explanation: 'The supplier or its organisation has as much stored of one kind as it may.',
    fix: 'Read the detail: it has the kind, the limit, and what frees space.',
  },
  operations_team_name_does_not_exist: {
    explanation: 'The operations team is not in the list of the operator.',
    fix: 'Ask the operator for the names of the teams.',
  },
  operations_team_should_be_provided: {
    explanation: 'The supplier does not allocate teams automatically, and none is named.',
    fix: 'Name the team in the request or in the account.',
  },
  operations_team_provided_when_using_auto_allocation: {
    explanation: 'The supplier allocates teams automatically, so the named one would be ignored.',
    fix: 'Leave operations_team_name out.',
  },
  '400': {
    explanation: 'A dry run of a staged account found no errors.',
    fix: 'Nothing is to be corrected. Send the request without dry_run to create the account.',
  },
  transaction_outside_open_statement_period: {
    explanation: 'A transaction is dated outside the open statement period.',
    fix: 'Date it within the period, or let force_add_to_current_statement be true.',
  },
  line_items_overlap_already_charged_period: {
    explanation: 'A supply charge covers days that were charged before.',
    fix: 'Send line items for other days.',
  },
  ledger_balance_out_of_range: {
    explanation: 'The transactions would make the balance too large to be stored.',
    fix: 'Check the amounts.',
  },
  not_authenticated: {
    explanation: 'The request has no token.',
    fix: 'Send the header Authorization: Token <token>.',
  },
  authentication_failed: {
    explanation: 'The token, the API key or the refresh token is not valid, or was revoked.',
    fix: 'Obtain a new token with your API key.',
  },
  token_expired: { explanation: 'The token has expired.', fix: 'Obtain a new token and repeat the request.' },
  operation_refused: {
    explanation: 'The change is not possible in the present state.',
    fix: 'Read the detail: it gives the reason.',
  },
  confirmation_required: {
    explanation: 'The confirmation is missing, or is not what has to be typed.',
    fix: 'Type what the detail asks for.',
  },
  operator_session_required: {
    explanation: 'The request has no session of an operator, or the session has ended.',
    fix: 'Sign in.',
  },
  operator_login_failed: {
    explanation: 'The operator, the password or the code is not valid.',
    fix: 'Check name and password. An admin can give you a one-time password.',
  },
  totp_required: {
    explanation: 'The password is right, and the operator has a second factor.',
    fix: 'Send the login again with the code of the authenticator as totp.',
  },
  operator_role_required: {
    explanation: 'The role of the operator does not include the request.',
    fix: 'Ask an admin for the role that the detail names.',
  },
  csrf_token_invalid: {
    explanation: 'A changing request did not come from a page of this service with the token of its session.',
    fix: 'Read csrf_token from GET /operator/v1/session and send it as X-CSRF-Token.',
  },
  password_change_required: {
    explanation: 'The operator has signed in with a one-time password.',
    fix: 'Choose a password with POST /operator/v1/session/password.',
  },
  forbidden: {
    explanation: 'The request is not allowed.',
    fix: 'Ask the operator.',
  },
  not_found: {
    explanation: 'There is no such resource, or it belongs to another organisation.',
    fix: 'Check the address, the supplier code and the identifier.',
  },
  account_not_found: {
    explanation: 'There is no imported account of this number.',
    fix: 'Check supplier and account number, and that the import has the status PROCESSED.',
  },
  method_not_allowed: {
    explanation: 'The address does not support the HTTP method.',
    fix: 'Use a method of the header Allow.',
  },
  payload_too_large: { explanation: 'The body is too large.', fix: 'Split the request.' },
  unsupported_media_type: {
    explanation: 'The body has a media type or an encoding that is not supported.',
    fix: 'Send JSON with Content-Type: application/json, plain or with Content-Encoding: gzip.',
  },
  throttled: { explanation: 'A limit of requests is reached.', fix: REPEAT },
  error: {
    explanation: 'An internal error occurred.',
    fix: 'Send the request again later, or quote its X-Request-Id to the operator.',
  },
  unavailable: { explanation: 'The service cannot answer at the moment.', fix: REPEAT },
  ...explain(VENDOR_REFUSALS, 'Correct the instruction. Do not send the same request again.'),
  ...explain(VENDOR_FAILURES, 'Send the same request again.'),
};

function explain<Code extends string>(
  texts: Readonly<Record<Code, string>>,
  fix: string,
): Record<Code, ErrorExplanation> {
  const codes = Object.entries<string>(texts);
  return Object.fromEntries(codes.map(([code, explanation]) => [code, { explanation, fix }])) as Record<
    Code,
    ErrorExplanation
  >;
}

/** Codes that only the operator API has. They are not in the catalogue of suppliers. */
export const OPERATOR_ERROR_CODES: readonly ErrorCode[] = [
  'operation_refused',
  'confirmation_required',
  'operator_session_required',
  'operator_login_failed',
  'totp_required',
  'operator_role_required',
  'csrf_token_invalid',
  'password_change_required',
];

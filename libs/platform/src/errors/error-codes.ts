import { VENDOR_FAILURES, VENDOR_REFUSALS } from './vendor-codes';

/** The HTTP status of an error code, what it means, and what its client does. */
export interface ErrorEntry {
  readonly status: number;
  readonly explanation: string;
  readonly fix: string;
  /** True for a code that only the operator API has. It is not in the catalogue of suppliers. */
  readonly isOperators?: boolean;
}

const REPEAT = 'Send the same request again after the time in Retry-After.';

/** Every stable error code of Portage outside a validation report (contract, "Errors"). */
const ENTRIES = {
  parse_error: {
    status: 400,
    explanation: 'The request is not HTTP with a JSON object in UTF-8.',
    fix: 'Send a JSON object in UTF-8; the detail says where reading stopped.',
  },
  validation_error: {
    status: 400,
    explanation: 'Fields of the body, query parameters or headers are not valid.',
    fix: 'Correct what `errors` lists, each at its path `attr`.',
  },
  misplaced_parameter: {
    status: 400,
    explanation:
      'A parameter of the import or of the query is in a place where it has no effect, so nothing was done.',
    fix: 'Send each parameter that `errors` lists where its detail says, or leave it out.',
  },
  account_failed_validation: {
    status: 400,
    explanation: 'The account is not valid.',
    fix: 'Correct what `errors` lists, each at its path `attr`.',
  },
  import_process_failed_validation: {
    status: 400,
    explanation: 'The account is not valid, so its import was not scheduled or has ended.',
    fix: 'Post the account to /v2/data-import/accounts/validate/, correct every error and send it again.',
  },
  account_import_process_already_imported: {
    status: 400,
    explanation: 'The account has been imported already.',
    fix: 'Nothing is to be done. The response has the platform account number.',
  },
  import_process_does_not_exist: {
    status: 400,
    explanation: 'No account of this number was sent, or it is not staged.',
    fix: 'Check supplier and account number, and send or stage the account first.',
  },
  import_process_not_pending: {
    status: 400,
    explanation: 'The import has ended without an account, so it cannot be cancelled.',
    fix: 'Nothing is to be done. To import the account, send it again.',
  },
  import_process_in_progress: {
    status: 400,
    explanation: 'The account is queued or being processed with another payload.',
    fix: 'Read its status and wait for the outcome. An imported account is not replaced; otherwise send it again.',
  },
  import_supplier_migration_not_ongoing: {
    status: 400,
    explanation: 'The migration of the import supplier is paused or complete.',
    fix: 'Ask the operator when the migration goes on.',
  },
  external_identifier_already_exists: {
    status: 400,
    explanation: 'Another account of the supplier has the same external_identifier.',
    fix: 'Send a unique external_identifier, or leave it out.',
  },
  schedule_window_start_in_past: {
    status: 400,
    explanation: 'The schedule window starts in the past.',
    fix: 'Leave schedule_window_start out to start at once.',
  },
  schedule_window_start__after_end: {
    status: 400,
    explanation: 'The schedule window ends before it starts.',
    fix: 'Send a start before the end.',
  },
  schedule_window_start_too_far_in_future: {
    status: 400,
    explanation: 'The schedule window starts more than 90 days ahead.',
    fix: 'Send an earlier start.',
  },
  schedule_window_end_too_far_in_future: {
    status: 400,
    explanation: 'The schedule window ends too far in the future.',
    fix: 'Send an earlier end, or leave it out.',
  },
  account_not_imported: {
    status: 400,
    explanation: 'There is no imported account to correct or to take back.',
    fix: 'Schedule the account, and wait until its import has the status PROCESSED.',
  },
  account_erased: {
    status: 400,
    explanation: 'The personal data of the account was erased.',
    fix: 'Nothing is to be done: the account is neither corrected nor taken back any more.',
  },
  account_has_additions: {
    status: 400,
    explanation: 'Something was added to the account since its import, so it is not taken back.',
    fix: 'Correct the account instead. The detail says what was added.',
  },
  // The following end a correction: its status has them, and not the answer to the request.
  ledger_has_additions: {
    status: 400,
    explanation: 'A correction leaves out a ledger to which transactions were added since the import.',
    fix: 'Send the ledger as before.',
  },
  statement_period_has_additions: {
    status: 400,
    explanation: 'A correction moves a statement period to which transactions were added since the import.',
    fix: 'Send the dates of the last statement and the billing options as before.',
  },
  statement_period_closed: {
    status: 400,
    explanation: 'A correction changes a ledger of which a statement period was closed since the import.',
    fix: 'Send balance, dates and current transactions of the ledger as before, and add transactions for the difference.',
  },
  payment_instruction_verified: {
    status: 400,
    explanation: 'A correction changes a payment instruction that was verified since the import.',
    fix: 'Send the instruction as before, and create another one.',
  },
  corrections_not_allowed: {
    status: 400,
    explanation: 'The operator does not allow corrections of the supplier.',
    fix: 'Ask the operator.',
  },
  idempotency_key_reused: {
    status: 400,
    explanation: 'The Idempotency-Key came with another request before.',
    fix: 'Use a new key for a new request.',
  },
  submission_reference_already_exists: {
    status: 400,
    explanation: 'The supplier has a submission with the same reference that was opened with another body.',
    fix: 'Choose another reference, or open the submission with the body of the first request.',
  },
  submission_of_other_kind: {
    status: 400,
    explanation: 'The submission has lines of another kind: accounts, or additions.',
    fix: 'Upload accounts to `accounts/` and additions to `additions/` of a submission that was opened with this kind.',
  },
  submission_not_open: {
    status: 400,
    explanation: 'The submission was completed or aborted, so it takes no more accounts.',
    fix: 'Open another submission for the accounts that are missing.',
  },
  upload_stalled: {
    status: 400,
    explanation:
      'The sender of an upload sent nothing for 30 seconds, or a document took longer than 15 minutes. The lines before that are stored; of a document nothing is.',
    fix: 'Send the whole file again: lines that were accepted are counted as repeated.',
  },
  content_digest_mismatch: {
    status: 400,
    explanation: 'The body of the request has another SHA-256 than its header Content-Digest.',
    fix: 'Send the document again; compute the digest from the bytes that are sent.',
  },
  document_already_used: {
    status: 409,
    explanation:
      'A statement or a note of an imported account has a document of this path with other content.',
    fix: 'Upload the document under another path, or ask the operator.',
  },
  document_is_not_a_pdf: {
    status: 415,
    explanation: 'The content of a document does not begin and end as a PDF.',
    fix: 'Send the bytes of a whole PDF, without any encoding.',
  },
  webhook_endpoint_not_verified: {
    status: 400,
    explanation: 'The receiver of the webhook endpoint has not answered a challenge yet.',
    fix: 'Give the receiver the secret, and verify the endpoint.',
  },
  quota_reached: {
    status: 400,
    explanation: 'The supplier or its organisation has as much stored of one kind as it may.',
    fix: 'Read the detail: it has the kind, the limit, and what frees space.',
  },
  operations_team_name_does_not_exist: {
    status: 400,
    explanation: 'The operations team is not in the list of the operator.',
    fix: 'Ask the operator for the names of the teams.',
  },
  operations_team_should_be_provided: {
    status: 400,
    explanation: 'The supplier does not allocate teams automatically, and none is named.',
    fix: 'Name the team in the request or in the account.',
  },
  operations_team_provided_when_using_auto_allocation: {
    status: 400,
    explanation: 'The supplier allocates teams automatically, so the named one would be ignored.',
    fix: 'Leave operations_team_name out.',
  },
  /** The older contract answers a dry run that found nothing with an error of this code. */
  '400': {
    status: 400,
    explanation: 'A dry run of a staged account found no errors.',
    fix: 'Nothing is to be corrected. Send the request without dry_run to create the account.',
  },
  transaction_outside_open_statement_period: {
    status: 400,
    explanation: 'A transaction is dated outside the open statement period.',
    fix: 'Date it within the period, or let force_add_to_current_statement be true.',
  },
  line_items_overlap_already_charged_period: {
    status: 400,
    explanation: 'A supply charge covers days that were charged before.',
    fix: 'Send line items for other days.',
  },
  ledger_balance_out_of_range: {
    status: 400,
    explanation: 'The transactions would make the balance too large to be stored.',
    fix: 'Check the amounts.',
  },
  not_authenticated: {
    status: 401,
    explanation: 'The request has no token.',
    fix: 'Send the header Authorization: Token <token>.',
  },
  authentication_failed: {
    status: 401,
    explanation: 'The token, the API key or the refresh token is not valid, or was revoked.',
    fix: 'Obtain a new token with your API key.',
  },
  token_expired: {
    status: 401,
    explanation: 'The token has expired.',
    fix: 'Obtain a new token and repeat the request.',
  },
  operation_refused: {
    status: 400,
    isOperators: true,
    explanation: 'The change is not possible in the present state.',
    fix: 'Read the detail: it gives the reason.',
  },
  confirmation_required: {
    status: 400,
    isOperators: true,
    explanation: 'The confirmation is missing, or is not what has to be typed.',
    fix: 'Type what the detail asks for.',
  },
  operator_session_required: {
    status: 401,
    isOperators: true,
    explanation: 'The request has no session of an operator, or the session has ended.',
    fix: 'Sign in.',
  },
  operator_login_failed: {
    status: 401,
    isOperators: true,
    explanation: 'The operator, the password or the code is not valid.',
    fix: 'Check name and password. An admin can give you a one-time password.',
  },
  totp_required: {
    status: 401,
    isOperators: true,
    explanation: 'The password is right, and the operator has a second factor.',
    fix: 'Send the login again with the code of the authenticator as totp.',
  },
  operator_role_required: {
    status: 403,
    isOperators: true,
    explanation: 'The role of the operator does not include the request.',
    fix: 'Ask an admin for the role that the detail names.',
  },
  cross_site_request: {
    status: 403,
    isOperators: true,
    explanation: 'A changing request did not come from a page of this service.',
    fix: 'Send it from a page of this service.',
  },
  password_change_required: {
    status: 403,
    isOperators: true,
    explanation: 'The operator has signed in with a one-time password.',
    fix: 'Choose a password with POST /operator/v1/session/password.',
  },
  forbidden: {
    status: 403,
    explanation: 'The request is not allowed.',
    fix: 'Ask the operator.',
  },
  not_found: {
    status: 404,
    explanation: 'There is no such resource, or it belongs to another organisation.',
    fix: 'Check the address, the supplier code and the identifier.',
  },
  account_not_found: {
    status: 404,
    explanation: 'There is no imported account of this number.',
    fix: 'Check supplier and account number, and that the import has the status PROCESSED.',
  },
  method_not_allowed: {
    status: 405,
    explanation: 'The address does not support the HTTP method.',
    fix: 'Use a method of the header Allow.',
  },
  precondition_failed: {
    status: 412,
    explanation: 'The account is not what If-Match says.',
    fix: 'Read the account again, and send the correction with its digest.',
  },
  payload_too_large: {
    status: 413,
    explanation: 'The body is too large.',
    fix: 'Split the request.',
  },
  unsupported_media_type: {
    status: 415,
    explanation: 'The body has a media type or an encoding that is not supported.',
    fix: 'Send JSON with Content-Type: application/json, plain or with Content-Encoding: gzip.',
  },
  throttled: {
    status: 429,
    explanation: 'A limit of requests is reached.',
    fix: REPEAT,
  },
  error: {
    status: 500,
    explanation: 'An internal error occurred.',
    fix: 'Send the request again later, or quote its X-Request-Id to the operator.',
  },
  unavailable: {
    status: 503,
    explanation: 'The service cannot answer at the moment.',
    fix: REPEAT,
  },
  // Permanent refusals and temporary failures of payment vendors (contract, "Create a payment instruction").
  ...entriesOf(VENDOR_REFUSALS, 400, 'Correct the instruction. Do not send the same request again.'),
  ...entriesOf(VENDOR_FAILURES, 500, 'Send the same request again.'),
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ENTRIES;

export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorEntry>> = ENTRIES;

function entriesOf<Code extends string>(
  texts: Readonly<Record<Code, string>>,
  status: number,
  fix: string,
): Record<Code, ErrorEntry> {
  const codes = Object.entries<string>(texts);
  return Object.fromEntries(
    codes.map(([code, explanation]) => [code, { status, explanation, fix }]),
  ) as Record<Code, ErrorEntry>;
}

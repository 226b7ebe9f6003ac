import { type ErrorCode, VENDOR_FAILURES, VENDOR_REFUSALS } from '@portage/domain';
import { HTTP_STATUS } from '../http/error-filter';

/** Codes of every operation: of the hooks before a route, and of faults. */
const OF_ALL: readonly ErrorCode[] = [
  'parse_error',
  'forbidden',
  'payload_too_large',
  'unsupported_media_type',
  'error',
  'unavailable',
];

/** Codes of every operation that requires an access token. */
const OF_TOKEN: readonly ErrorCode[] = [
  'not_authenticated',
  'authentication_failed',
  'token_expired',
  'throttled',
];

const OF_KEY: readonly ErrorCode[] = ['validation_error', 'idempotency_key_reused'];
const OF_READ: readonly ErrorCode[] = ['validation_error', 'not_found'];
/** The codes of requests about an imported account. */
export const ACCOUNT_UPDATE_ERRORS: readonly ErrorCode[] = [
  ...OF_KEY,
  'account_not_found',
  'import_supplier_migration_not_ongoing',
];
const OF_STAGING: readonly ErrorCode[] = [
  'account_failed_validation',
  'account_import_process_already_imported',
  'import_supplier_migration_not_ongoing',
];

/** The codes of each operation besides those of all, by `operationId`. */
const OF_OPERATION: Readonly<Record<string, readonly ErrorCode[]>> = {
  // An error of the mutation itself, such as `authentication_failed`, has the status 200 in GraphQL.
  obtainPlatformToken: ['validation_error', 'throttled'],
  listSubmissionResults: OF_READ,
  reconcileSubmission: ['not_found'],
  openSubmission: [
    'validation_error',
    'submission_reference_already_exists',
    'import_supplier_migration_not_ongoing',
  ],
  listSubmissions: OF_READ,
  readSubmission: ['not_found'],
  uploadAccounts: [
    'not_found',
    'submission_not_open',
    'upload_stalled',
    'import_supplier_migration_not_ongoing',
  ],
  completeSubmission: ['not_found', 'submission_not_open'],
  abortSubmission: ['not_found'],
  createWebhookEndpoint: ['validation_error'],
  listWebhookEndpoints: OF_READ,
  readWebhookEndpoint: ['not_found'],
  listWebhookAttempts: ['not_found'],
  deleteWebhookEndpoint: ['not_found'],
  rotateWebhookSecret: ['not_found'],
  testWebhookEndpoint: ['not_found'],
  replayWebhookEvents: OF_READ,
  enableWebhookEndpoint: ['not_found'],
  disableWebhookEndpoint: ['not_found'],
  readLiveness: [],
  readReadiness: [],
  readMetrics: ['not_authenticated', 'not_found', 'throttled'],
};

/** The codes that the errors of an operation can have, by their status. @throws Error for an unknown operation */
export function possibleErrorsOf(operationId: string, isGuarded: boolean): Map<number, ErrorCode[]> {
  const own = OF_OPERATION[operationId];
  if (!own) throw new Error(`The errors of the operation ${operationId} are not listed.`);
  return errorsByStatus(own, isGuarded);
}

/** The codes of an operation by their status: its own, and those of every operation. */
export function errorsByStatus(own: readonly ErrorCode[], isGuarded: boolean): Map<number, ErrorCode[]> {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of new Set([...OF_ALL, ...(isGuarded ? OF_TOKEN : []), ...own])) {
    const status = HTTP_STATUS[code];
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return new Map([...codes].sort(([one], [other]) => one - other));
}

function codesOf<Code extends ErrorCode>(texts: Readonly<Record<Code, unknown>>): Code[] {
  return Object.keys(texts) as Code[];
}

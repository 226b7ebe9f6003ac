import type { operations, paths } from './generated/api';
import type { PortageError } from './portage-error';
import type { FinalAnswer } from './authorized-client';
import type { RetryPolicy } from './retry/retry-policy';
import type { Request, StreamedBody } from './transport/transport';

/** The operations of the API. */
export type OperationId = keyof operations;

type Method = 'get' | 'post' | 'put' | 'delete';

/** The method and the path at which the OpenAPI document has an operation, such as `GET /health/live`. */
type Route<Id extends OperationId> = {
  [Path in keyof paths]: {
    [M in Method]: paths[Path] extends Record<M, operations[Id]> ? `${Uppercase<M>} ${Path}` : never;
  }[Method];
}[keyof paths];

/** Where each operation is. The compiler compares it with the OpenAPI document. */
export const ROUTES = {
  obtainPlatformToken: 'POST /v1/graphql/',
  validateAccount: 'POST /v2/data-import/accounts/validate/',
  scheduleAccount: 'POST /v2/data-import/accounts/',
  readAccountImport: 'GET /v2/data-import/accounts/{supplier}/{identifier}/',
  readAccount: 'GET /v2/data-import/accounts/{supplier}/{identifier}/account/',
  readAccountAdditions: 'GET /v2/data-import/accounts/{supplier}/{identifier}/additions/',
  cancelAccountImport: 'POST /v2/data-import/accounts/{supplier}/{identifier}/cancel/',
  correctAccount: 'POST /v2/data-import/accounts/{supplier}/{identifier}/correct/',
  takeBackAccount: 'POST /v2/data-import/accounts/{supplier}/{identifier}/take-back/',
  readAccountTransferStatus: 'GET /v1/data-import/account-transfer-status/{supplier}/{accountNumber}/',
  listAllImportProcesses: 'GET /v1/data-import/all-account-import-processes/{supplier}/',
  listPendingImportProcesses: 'GET /v1/data-import/pending-account-import-processes/{supplier}/',
  listImportedImportProcesses: 'GET /v1/data-import/imported-account-import-processes/{supplier}/',
  createNotes: 'POST /v1/data-import/notes/create/',
  createTransactions: 'POST /v1/data-import/transactions/create/',
  createPaymentInstruction: 'POST /v1/data-import/payment-instruction/create/',
  createHistoricalStatements: 'POST /v1/data-import/historical-statements/create/',
  validateStagedAccount: 'POST /v1/data-import/validate-account/',
  stageAccount: 'POST /v1/data-import/account-import-process/create-or-update/',
  processStagedAccount: 'POST /v1/data-import/account-import-process/process/',
  listDocuments: 'GET /v2/data-import/documents/{supplier}/',
  uploadDocument: 'PUT /v2/data-import/documents/{supplier}/{path}/',
  openSubmission: 'POST /v2/data-import/submissions/',
  listSubmissions: 'GET /v2/data-import/submissions/',
  readSubmission: 'GET /v2/data-import/submissions/{id}/',
  uploadAccounts: 'POST /v2/data-import/submissions/{id}/accounts/',
  uploadAdditions: 'POST /v2/data-import/submissions/{id}/additions/',
  completeSubmission: 'POST /v2/data-import/submissions/{id}/complete/',
  abortSubmission: 'POST /v2/data-import/submissions/{id}/abort/',
  listSubmissionResults: 'GET /v2/data-import/submissions/{id}/results/',
  reconcileSubmission: 'GET /v2/data-import/submissions/{id}/reconciliation/',
  readEvents: 'GET /v2/data-import/events/',
  createWebhookEndpoint: 'POST /v2/data-import/webhook-endpoints/',
  listWebhookEndpoints: 'GET /v2/data-import/webhook-endpoints/',
  readWebhookEndpoint: 'GET /v2/data-import/webhook-endpoints/{id}/',
  deleteWebhookEndpoint: 'DELETE /v2/data-import/webhook-endpoints/{id}/',
  listWebhookAttempts: 'GET /v2/data-import/webhook-endpoints/{id}/attempts/',
  rotateWebhookSecret: 'POST /v2/data-import/webhook-endpoints/{id}/rotate-secret/',
  verifyWebhookEndpoint: 'POST /v2/data-import/webhook-endpoints/{id}/verify/',
  testWebhookEndpoint: 'POST /v2/data-import/webhook-endpoints/{id}/test/',
  replayWebhookEvents: 'POST /v2/data-import/webhook-endpoints/{id}/replay/',
  enableWebhookEndpoint: 'POST /v2/data-import/webhook-endpoints/{id}/enable/',
  disableWebhookEndpoint: 'POST /v2/data-import/webhook-endpoints/{id}/disable/',
  listSuppliers: 'GET /v2/data-import/suppliers/',
  readSupplier: 'GET /v2/data-import/suppliers/{supplier}/',
  listErrorCodes: 'GET /v2/data-import/error-codes/',
  readLiveness: 'GET /health/live',
  readReadiness: 'GET /health/ready',
  readMetrics: 'GET /metrics',
} as const satisfies { [Id in OperationId]: Route<Id> };

/** The operations that need no access token. */
export const OPEN_OPERATIONS: ReadonlySet<OperationId> = new Set([
  'obtainPlatformToken',
  'readLiveness',
  'readReadiness',
  'readMetrics',
]);

/** The body of some responses, by status: text, unless it is JSON. */
type BodyOf<Response> = Response extends { content: infer Content }
  ? { [Type in keyof Content]: Type extends 'application/json' ? Content[Type] : string }[keyof Content]
  : undefined;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type SuccessStatus = 200 | 201 | 204;
type SuccessBody<Id extends OperationId> = BodyOf<Responses<Id>[SuccessStatus & keyof Responses<Id>]>;
type ErrorBody<Id extends OperationId> = BodyOf<Responses<Id>[Exclude<keyof Responses<Id>, SuccessStatus>]>;

/** Options that all operations have. */
interface CallOptions {
  /** Limits of the retries of this request that differ from those of the client. */
  retry?: Partial<RetryPolicy>;
  /** Timeout of one attempt. */
  timeoutMs?: number;
  headers?: Readonly<Record<string, string | undefined>>;
  /** Reads the body of a successful response while it arrives; `data` is then empty. Called again when it is retried. */
  receive?: Request['receive'];
  /** When aborted, the attempt in progress fails at once and is not retried. */
  signal?: AbortSignal;
}

/**
 * The body as an object; or as JSON text, which is sent unchanged; or as a stream, which is sent while it is produced,
 * and begun again for each attempt.
 */
type BodyOptions<Operation> = Operation extends { requestBody: { content: infer Content } }
  ?
      | { body: Content[keyof Content]; text?: undefined; stream?: undefined }
      | { text: string; body?: undefined; stream?: undefined }
      | { stream: StreamedBody; body?: undefined; text?: undefined }
  : unknown;

/** The options of an operation. */
export type Options<Id extends OperationId> = CallOptions &
  Pick<operations[Id]['parameters'], 'path' | 'query'> &
  BodyOptions<operations[Id]>;

/** An operation that was successful. */
export interface Success<Data> {
  /** The body of the response. */
  data: Data;
  error?: undefined;
  response: FinalAnswer;
}

/** An operation that the service refused. */
export interface Failure<Body> {
  data?: undefined;
  error: PortageError<Body>;
  response: FinalAnswer;
}

/** The result of an operation. `throwOnError: false` makes a refusal the member `error` instead of an exception. */
export type OperationResult<Id extends OperationId, ThrowOnError extends boolean> = ThrowOnError extends true
  ? Success<SuccessBody<Id>>
  : Success<SuccessBody<Id>> | Failure<ErrorBody<Id>>;

type Arguments<Given> = object extends Given ? [options?: Given] : [options: Given];

/** A method for each operation. */
export type Operations = {
  [Id in OperationId]: <ThrowOnError extends boolean = true>(
    ...args: Arguments<Options<Id> & { throwOnError?: ThrowOnError }>
  ) => Promise<OperationResult<Id, ThrowOnError>>;
};

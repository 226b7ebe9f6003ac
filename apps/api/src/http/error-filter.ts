import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable } from '@nestjs/common';
import { isTransient } from '@portage/accounts';
import { PayloadAcceptedBefore } from '@portage/imports';
import {
  type ErrorCode,
  Logger,
  OPERATOR_ERROR_CODES,
  PortageError,
  ShapedError,
  Throttled,
  VENDOR_FAILURES,
  VENDOR_REFUSALS,
} from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setPayloadDigestHeader } from './payload-digest';

/** The HTTP status of every error code. */
export const HTTP_STATUS: Readonly<Record<ErrorCode, number>> = {
  parse_error: 400,
  validation_error: 400,
  account_failed_validation: 400,
  import_process_failed_validation: 400,
  account_import_process_already_imported: 400,
  import_process_does_not_exist: 400,
  import_process_not_pending: 400,
  operations_team_name_does_not_exist: 400,
  operations_team_should_be_provided: 400,
  operations_team_provided_when_using_auto_allocation: 400,
  '400': 400,
  import_process_in_progress: 400,
  import_supplier_migration_not_ongoing: 400,
  external_identifier_already_exists: 400,
  schedule_window_start_in_past: 400,
  schedule_window_start__after_end: 400,
  schedule_window_start_too_far_in_future: 400,
  schedule_window_end_too_far_in_future: 400,
  idempotency_key_reused: 400,
  submission_reference_already_exists: 400,
  misplaced_parameter: 400,
  submission_not_open: 400,
  upload_stalled: 400,
  webhook_endpoint_not_verified: 400,
  quota_reached: 400,
  transaction_outside_open_statement_period: 400,
  line_items_overlap_already_charged_period: 400,
  ledger_balance_out_of_range: 400,
  operation_refused: 400,
  confirmation_required: 400,
  not_authenticated: 401,
  authentication_failed: 401,
  token_expired: 401,
  operator_session_required: 401,
  operator_login_failed: 401,
  totp_required: 401,
  forbidden: 403,
  operator_role_required: 403,
  csrf_token_invalid: 403,
  password_change_required: 403,
  not_found: 404,
  account_not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  throttled: 429,
  error: 500,
  unavailable: 503,
  // Permanent refusals and temporary failures of payment vendors (contract, "Create a payment instruction").
  ...mapToStatus(VENDOR_REFUSALS, 400),
  ...mapToStatus(VENDOR_FAILURES, 500),
};

function mapToStatus<Code extends string>(
  codes: Readonly<Record<Code, unknown>>,
  status: number,
): Record<Code, number> {
  return Object.fromEntries(Object.keys(codes).map((code) => [code, status])) as Record<Code, number>;
}

/** Errors that Fastify raises itself, as errors of this API. */
const FASTIFY_REFUSALS: Readonly<Record<string, PortageError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new PortageError('payload_too_large', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new PortageError(
    'unsupported_media_type',
    'Send the body as JSON, with the header Content-Type: application/json.',
  ),
  FST_ERR_CTP_EMPTY_JSON_BODY: new PortageError('parse_error', 'The body is empty. Send a JSON object.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new PortageError(
    'parse_error',
    'The body is not as long as its Content-Length.',
  ),
  FST_ERR_BAD_URL: new PortageError('not_found', 'The address is not percent-encoded correctly.'),
  FST_ERR_MAX_PARAM_LENGTH: new PortageError('not_found', 'The address is too long.'),
};

/** The code of a refusal by the framework, by its status. Any other refusal of a request is a `parse_error`. */
const CODES_OF_STATUSES: Readonly<Record<number, ErrorCode>> = {
  401: 'not_authenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'throttled',
  431: 'payload_too_large',
};

/** A request that the framework or one of its plugins refused. It keeps its status, which its code may not have. */
class FrameworkRefusal extends PortageError {
  constructor(readonly status: number) {
    super(
      CODES_OF_STATUSES[status] ?? 'parse_error',
      status === 404
        ? 'There is no resource at this address.'
        : `The request is refused: ${STATUS_CODES[status] ?? 'Bad Request'}.`,
    );
  }
}

/**
 * The status of an error by which the framework refuses a request: an exception of Nest, an error of Fastify or of one
 * of its plugins, or one of `http-errors`, which file servers use. Errors of other libraries have statuses as well, but
 * those are answers of other services.
 */
function refusalStatusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (!(thrown instanceof Error && 'statusCode' in thrown)) return undefined;
  const { code, expose } = thrown as { code?: unknown; expose?: unknown };
  const isOfFramework = (typeof code === 'string' && code.startsWith('FST_')) || typeof expose === 'boolean';
  return isOfFramework && typeof thrown.statusCode === 'number' ? thrown.statusCode : undefined;
}

/**
 * The API's error for an error that Fastify raised itself, which Nest wraps on some routes. Undefined for others.
 *
 * @param request the request, whose route has the limit of a body
 */
export function toFastifyRefusal(thrown: unknown, request?: FastifyRequest): PortageError | undefined {
  const error = thrown instanceof HttpException ? thrown.cause : thrown;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && request)
    return new PortageError(
      'payload_too_large',
      `The body is larger than ${request.routeOptions.bodyLimit} bytes. Send less in one request.`,
    );
  return typeof code === 'string' ? FASTIFY_REFUSALS[code] : undefined;
}

/** When a client should try again that was answered with `unavailable`. */
export const RETRY_AFTER_SECONDS = '2';

/** Turns every error into a response: JSON with `detail` and `code`, without internal information. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  /** Handles errors of controllers. */
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.sendError(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Sends the response for an error before a controller: of a hook, the body parser or Fastify itself. */
  sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = this.toPortageError(thrown, request);
    const status = error instanceof FrameworkRefusal ? error.status : HTTP_STATUS[error.code];
    if (status === 401 && !reply.hasHeader('WWW-Authenticate'))
      void reply.header('WWW-Authenticate', OPERATOR_ERROR_CODES.includes(error.code) ? 'Session' : 'Token');
    if (status === 503 || status === 429)
      void reply.header(
        'Retry-After',
        error instanceof Throttled ? String(error.retryAfterSeconds) : RETRY_AFTER_SECONDS,
      );
    if (error instanceof PayloadAcceptedBefore) setPayloadDigestHeader(reply, error.acceptedDigest);
    void reply.status(status).type('application/json; charset=utf-8').send(buildErrorBody(error));
  }

  /** The API's error for any error. One that is not a refusal is logged. */
  toPortageError(thrown: unknown, request: FastifyRequest): PortageError {
    if (thrown instanceof PortageError) return thrown;
    const refusal = toFastifyRefusal(thrown, request);
    if (refusal) return refusal;
    const status = refusalStatusOf(thrown);
    if (status !== undefined && status >= 400 && status < 500) return new FrameworkRefusal(status);
    if (isTransient(thrown)) {
      this.logger.warn('A request failed with a transient error.', {
        requestId: request.id,
        error: thrown,
      });
      return new PortageError(
        'unavailable',
        'The service is temporarily unavailable. Send the request again.',
      );
    }
    this.logger.error('A request failed.', { requestId: request.id, error: thrown });
    return new PortageError('error', `An internal error occurred. Quote the request id ${request.id}.`);
  }
}

function buildErrorBody(error: PortageError): Readonly<Record<string, unknown>> {
  if (error instanceof ShapedError) return error.body;
  const { code, detail, members } = error;
  // Contract, "Schedule an account", has this error in `non_field_errors`. A client finds its code at the top as well.
  if (code === 'account_import_process_already_imported')
    return { detail, code, non_field_errors: { detail, code }, ...members };
  return { detail, code, ...members };
}

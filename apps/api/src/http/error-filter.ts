import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable } from '@nestjs/common';
import { isTransient } from '@portage/accounts';
import { PayloadAcceptedBefore } from '@portage/imports';
import { ERROR_CODES, type ErrorCode, Logger, PortageError, ShapedError, Throttled } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setPayloadDigestHeader } from './payload-digest';

/** The error for a body of another type than a route reads. */
export const NOT_JSON = new PortageError(
  'unsupported_media_type',
  'Send the body as JSON, with the header Content-Type: application/json.',
);

/** Errors that Fastify raises itself, as errors of this API. */
const FASTIFY_REFUSALS: Readonly<Record<string, PortageError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_JSON,
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

/** The API's error for an error that Fastify raised itself, which Nest wraps on some routes. Undefined for others. */
export function toFastifyRefusal(thrown: unknown): PortageError | undefined {
  const error = thrown instanceof HttpException ? thrown.cause : thrown;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
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
    const status = error instanceof FrameworkRefusal ? error.status : ERROR_CODES[error.code].status;
    if (status === 401 && !reply.hasHeader('WWW-Authenticate'))
      void reply.header('WWW-Authenticate', ERROR_CODES[error.code].isOperators ? 'Session' : 'Token');
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
    const refusal = toFastifyRefusal(thrown);
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

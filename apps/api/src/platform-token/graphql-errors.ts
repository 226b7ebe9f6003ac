import { type ErrorCode, PortageError, Throttled } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { HTTP_STATUS, RETRY_AFTER_SECONDS, toFastifyRefusal } from '../http/error-filter';

interface FormattedError extends GraphQLFormattedError {
  extensions: { code: ErrorCode; detail: string };
}

/**
 * The status and body of a response with errors. Each error has its code and sentence in `extensions.code` and
 * `extensions.detail`, without internal information. Sets `Retry-After` if a retry may succeed.
 */
export function buildErrorAnswer(
  errors: readonly Error[],
  reply: FastifyReply,
): { status: number; body: { data: null; errors: FormattedError[] } } {
  const entries = errors.flatMap(splitError).map((error) => ({ error, reason: toPortageError(error) }));
  const reasons = entries.map(({ reason }) => reason);
  const throttled = reasons.find((reason) => reason instanceof Throttled);
  const temporary = throttled ?? reasons.find(({ code }) => code === 'unavailable');
  if (temporary) void reply.header('Retry-After', throttled?.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  // An error with a path occurred during execution, which is a 200 in GraphQL unless a retry may succeed. Any other
  // error refuses the request.
  const refused = entries.find(({ error }) => pathOf(error) === undefined)?.reason ?? temporary;
  return {
    status: refused ? HTTP_STATUS[refused.code] : 200,
    body: { data: null, errors: entries.map(({ error, reason }) => formatError(error, reason)) },
  };
}

/** True if the request caused the error; false for an internal fault. */
export function isRequestError(error: Error): boolean {
  return (
    error instanceof PortageError ||
    error instanceof GraphQLError ||
    toFastifyRefusal(error) !== undefined ||
    // Mercurius' own messages with this status are written for clients.
    ('statusCode' in error && error.statusCode === 400)
  );
}

/** Mercurius reports an invalid query as one error that contains all validation errors. */
function splitError(error: Error): readonly Error[] {
  return 'errors' in error && Array.isArray(error.errors) ? (error.errors as Error[]) : [error];
}

/** ErrorFilter has turned errors of resolvers into PortageErrors. The other errors are about the request. */
function toPortageError(error: Error): PortageError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (original instanceof PortageError) return original;
  if (pathOf(error)) return new PortageError('error', 'An internal error occurred.');
  return toFastifyRefusal(original) ?? new PortageError('validation_error', error.message);
}

function formatError(error: Error, { code, detail }: PortageError): FormattedError {
  const locations = error instanceof GraphQLError ? error.locations : undefined;
  const path = pathOf(error);
  return {
    message: detail,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code, detail },
  };
}

function pathOf(error: Error): GraphQLError['path'] {
  return error instanceof GraphQLError ? error.path : undefined;
}

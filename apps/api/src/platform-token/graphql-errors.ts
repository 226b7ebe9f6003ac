import { ERROR_CODES, type ErrorCode, PortageError, Throttled } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { RETRY_AFTER_SECONDS } from '../http/error-filter';

interface FormattedError extends GraphQLFormattedError {
  extensions: { code: ErrorCode; detail: string };
}

/**
 * The status and the errors of a response. Each error has its code and sentence in `extensions.code` and
 * `extensions.detail`, without internal information. Sets `Retry-After` if a retry may succeed.
 *
 * @param toPortageError translates errors that are not GraphQL's own
 */
export function buildErrorAnswer(
  errors: readonly Error[],
  reply: FastifyReply,
  toPortageError: (error: unknown) => PortageError,
): { status: number; errors: FormattedError[] } {
  const entries = errors.map((error) => {
    if (!(error instanceof GraphQLError)) return { error, reason: toPortageError(error) };
    const { originalError, path, message } = error;
    // Errors of resolvers have a path. The others are GraphQL's own and about the request.
    const reason = path
      ? toPortageError(originalError ?? error)
      : new PortageError('validation_error', message);
    return { error, reason };
  });
  const reasons = entries.map(({ reason }) => reason);
  const throttled = reasons.find((reason) => reason instanceof Throttled);
  const temporary = throttled ?? reasons.find(({ code }) => code === 'unavailable');
  if (temporary) void reply.header('Retry-After', throttled?.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  // An error with a path occurred during execution, which is a 200 in GraphQL unless a retry may succeed. Any other
  // error refuses the request.
  const refused =
    entries.find(({ error }) => !(error instanceof GraphQLError && error.path))?.reason ?? temporary;
  return {
    status: refused ? ERROR_CODES[refused.code].status : 200,
    errors: entries.map(({ error, reason }) => formatError(error, reason)),
  };
}

function formatError(error: Error, { code, detail }: PortageError): FormattedError {
  const { locations, path } = error instanceof GraphQLError ? error : {};
  return {
    message: detail,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code, detail },
  };
}

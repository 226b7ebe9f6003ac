import { type ErrorCode, PortageError } from '@portage/domain';
import { Throttled } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { fastifyRefusal, STATUS_OF } from '../http/error-filter';

interface AnsweredError extends GraphQLFormattedError {
  extensions: { code: ErrorCode; detail: string };
}

/**
 * The status and body of an answer with errors. Each says what it is in `extensions.code` and `extensions.detail`;
 * nothing internal leaves.
 */
export function answerWithErrors(
  errors: readonly Error[],
  reply: FastifyReply,
): { status: number; body: { data: null; errors: AnsweredError[] } } {
  const understood = errors.flatMap(separate).map((error) => ({ error, reason: reasonOf(error) }));
  const throttled = understood.map(({ reason }) => reason).find((reason) => reason instanceof Throttled);
  if (throttled) void reply.header('Retry-After', throttled.retryAfterSeconds);
  // What has a path failed while it was carried out; everything else was no request that could be.
  const refused = understood.find(({ error }) => pathOf(error) === undefined)?.reason ?? throttled;
  return {
    status: refused ? STATUS_OF[refused.code] : 200,
    body: { data: null, errors: understood.map(({ error, reason }) => described(error, reason)) },
  };
}

/** Whether it is about the request, and not a fault of ours. */
export function isAboutTheRequest(error: Error): boolean {
  return (
    error instanceof PortageError ||
    error instanceof GraphQLError ||
    fastifyRefusal(error) !== undefined ||
    // What mercurius says of a request that it does not carry out is written for clients.
    ('statusCode' in error && error.statusCode === 400)
  );
}

/** A query that is not valid comes as one error that holds all that is wrong with it. */
function separate(error: Error): readonly Error[] {
  return 'errors' in error && Array.isArray(error.errors) ? (error.errors as Error[]) : [error];
}

/** What a resolver throws is a PortageError by now: ErrorFilter has seen it. The rest is about the request. */
function reasonOf(error: Error): PortageError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (original instanceof PortageError) return original;
  if (pathOf(error)) return new PortageError('error', 'Something went wrong on our side.');
  return fastifyRefusal(original) ?? new PortageError('validation_error', error.message);
}

function described(error: Error, { code, detail }: PortageError): AnsweredError {
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

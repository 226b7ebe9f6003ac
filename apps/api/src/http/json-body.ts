import { PortageError } from '@portage/domain';
import type { FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const EMPTY = new PortageError('parse_error', 'The body is empty. Send a JSON object.');

/**
 * Reads JSON bodies. A body that is not JSON in UTF-8, or not an object, is a `parse_error` (DESIGN 1). Keys such as
 * `__proto__` are ordinary keys here: JSON.parse makes them own properties and nothing merges bodies into objects.
 */
export function readJsonBody(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, objectIn(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The body that a route needs. A request without one does not pass the parser, so it is refused here. */
export function givenBody(body: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!body) throw EMPTY;
  return body;
}

function objectIn(body: Buffer): Record<string, unknown> {
  if (body.length === 0) throw EMPTY;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch (error) {
    const place = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    throw new PortageError(
      'parse_error',
      place === undefined
        ? 'The body is not JSON in UTF-8.'
        : `The body is not JSON: unexpected character at position ${place}.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PortageError('parse_error', 'The body must be a JSON object.');
  return value as Record<string, unknown>;
}

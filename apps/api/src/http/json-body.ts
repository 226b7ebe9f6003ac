import { PortageError } from '@portage/domain';
import type { FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const EMPTY_BODY = new PortageError('parse_error', 'The body is empty. Send a JSON object.');

/**
 * Registers the parser of JSON bodies. A body that is not JSON in UTF-8, or not an object, is a `parse_error`. Keys
 * such as `__proto__` are harmless: JSON.parse makes them own properties, and bodies are not merged into other
 * objects.
 */
export function registerJsonParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonObject(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * The body of a route that requires one. Fastify does not call the parser for a request without a body.
 *
 * @throws PortageError `parse_error` if there is none
 */
export function requireBody(body: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!body) throw EMPTY_BODY;
  return body;
}

function parseJsonObject(body: Buffer): Record<string, unknown> {
  if (body.length === 0) throw EMPTY_BODY;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch (error) {
    const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    throw new PortageError(
      'parse_error',
      position === undefined
        ? 'The body is not JSON in UTF-8.'
        : `The body is not JSON: unexpected character at position ${position}.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PortageError('parse_error', 'The body must be a JSON object.');
  return value as Record<string, unknown>;
}

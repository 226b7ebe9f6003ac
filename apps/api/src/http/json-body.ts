import { recordSource } from '@portage/account-schema';
import { PortageError } from '@portage/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { buildSyntaxError } from './json-syntax';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const EMPTY_BODY = new PortageError('parse_error', 'The body is empty. Send a JSON object.');

/**
 * Registers the parser of JSON bodies. A body that is not JSON in UTF-8, or not an object, is a `parse_error`. Keys
 * such as `__proto__` are harmless: JSON.parse makes them own properties, and bodies are not merged into other
 * objects.
 */
export function registerJsonParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requirePlainBody(request, body as Buffer);
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

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** @throws PortageError `unsupported_media_type` if the body is compressed */
function requirePlainBody({ headers }: FastifyRequest, body: Buffer): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new PortageError(
      'unsupported_media_type',
      'The body is compressed, as its Content-Encoding says. Send it uncompressed and without this header.',
    );
  if (body.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC))
    throw new PortageError('parse_error', 'The body is compressed with gzip. Send it uncompressed.');
}

function parseJsonObject(body: Buffer): Record<string, unknown> {
  if (body.length === 0) throw EMPTY_BODY;
  const text = decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw buildSyntaxError(text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PortageError('parse_error', 'The body must be a JSON object.');
  recordSource(value, text);
  return value as Record<string, unknown>;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new PortageError('parse_error', 'The body is not UTF-8. Send JSON in UTF-8.');
  }
}

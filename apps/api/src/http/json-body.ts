import {
  countKeys,
  findRepeatedKey,
  type JsonExcess,
  JsonScanner,
  nextTurn,
  PortageError,
  recordSize,
} from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { estimateMemory, JSON_BODY_LIMITS } from './admission/body-limits';
import { contentLengthOf, hasBody, readBody } from './admission/read-body';
import type { RequestAdmission } from './admission/request-admission';
import { NOT_JSON } from './error-filter';
import { buildSyntaxError } from './json-syntax';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes, and values and keys, of a body that is parsed at once. A larger one takes milliseconds. */
const MAX_BYTES_AT_ONCE = 500_000;
const MAX_VALUES_AT_ONCE = 20_000;

const EMPTY_BODY = new PortageError('parse_error', 'The body is empty. Send a JSON object.');

const EXCESSES: Readonly<Record<JsonExcess, PortageError>> = {
  values: new PortageError(
    'payload_too_large',
    `The body has more than ${JSON_BODY_LIMITS.values} values and keys. Split it into several requests.`,
  ),
  nesting: new PortageError(
    'parse_error',
    `The body is nested more than ${JSON_BODY_LIMITS.nesting} levels deep.`,
  ),
  precision: new PortageError(
    'parse_error',
    'The body has a number that cannot be read exactly, because it has too many digits or is too large or small. Send at most 15 digits, or text.',
  ),
};

/**
 * Registers the parser of JSON bodies. An empty body is none, because some clients send the content type with every
 * request: a route that needs a body uses {@link requireBody}. A body that is not JSON in UTF-8, or not an object, is a
 * `parse_error`, as is one whose numbers or repeated keys JSON.parse would read as something else. Its values, its nesting
 * and its numbers are checked while it arrives, and its memory before it is parsed. Keys such as `__proto__` are harmless: JSON.parse makes them own properties, and bodies are not merged into other objects.
 */
export function registerJsonParser(fastify: FastifyInstance, requests: RequestAdmission): void {
  fastify.removeAllContentTypeParsers();
  // Some clients name a type without a body, such as `curl -d ''`.
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    done(hasBody(request) ? NOT_JSON : null);
  });
  fastify.addContentTypeParser('application/json', (request, payload, done) => {
    const admitted = requests.bodyOf(request);
    if (!admitted) {
      done(null);
      return;
    }
    const { maxBytes, admission } = admitted;
    const scanner = new JsonScanner(JSON_BODY_LIMITS);
    const reading = {
      maxBytes,
      contentLength: payload === request.raw ? contentLengthOf(request) : undefined,
      accept: (chunk: Buffer, receivedBytes: number) =>
        excessOf(scanner.push(chunk)) ?? admission.grow(estimateMemory(receivedBytes, 0)),
    };
    readBody(payload, reading, (error, body) => {
      const refusal = error ?? (body && admission.grow(estimateMemory(body.length, scanner.values)));
      if (refusal || !body) {
        // Ends the unpacking of a compressed body.
        if (payload !== request.raw) payload.destroy();
        done(refusal ?? null);
        return;
      }
      if (body.length === 0) {
        done(null);
        return;
      }
      const parse = () => {
        let value: Record<string, unknown>;
        try {
          requireUnpackedBody(body);
          value = parseJsonObject(body, scanner);
        } catch (parseError) {
          done(parseError as Error);
          return;
        }
        done(null, value);
      };
      // Parsing cannot be divided. Several large bodies that arrive together are parsed in turns of their own.
      if (body.length > MAX_BYTES_AT_ONCE || scanner.values > MAX_VALUES_AT_ONCE) void nextTurn().then(parse);
      else parse();
    });
  });
}

function excessOf(excess: JsonExcess | undefined): PortageError | undefined {
  return excess && EXCESSES[excess];
}

/**
 * The body of a route that requires one.
 *
 * @throws PortageError `parse_error` if there is none
 */
export function requireBody(body: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!body) throw EMPTY_BODY;
  return body;
}

const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** @throws PortageError `parse_error` if the body is compressed, and its headers do not say so */
function requireUnpackedBody(body: Buffer): void {
  if (body[0] === GZIP_MAGIC[0] && body[1] === GZIP_MAGIC[1])
    throw new PortageError(
      'parse_error',
      'The body is compressed with gzip. Send it with Content-Encoding: gzip, or uncompressed.',
    );
}

function parseJsonObject(body: Buffer, scanner: JsonScanner): Record<string, unknown> {
  const text = decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw buildSyntaxError(text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PortageError('parse_error', 'The body must be a JSON object.');
  if (countKeys(value) < scanner.keys)
    throw new PortageError(
      'parse_error',
      `An object of the body has the key ${JSON.stringify(findRepeatedKey(text))} twice. Send each key once.`,
    );
  // The root has no separator of its own.
  recordSize(value, { values: scanner.values + 1, characters: body.length });
  return value as Record<string, unknown>;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new PortageError('parse_error', 'The body is not UTF-8. Send JSON in UTF-8.');
  }
}

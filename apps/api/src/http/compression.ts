import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** The fastest level: lists repeat their member names, so that higher levels gain little for their time. */
const LEVEL = 1;

/** Text below this length is not worth a header more. */
const MIN_LENGTH = 1_400;

/**
 * Compresses a response with gzip if its client accepts that. Each chunk is flushed, so that a client sees it as early
 * as without compression. Sets `Vary` in any case, for caches between client and service.
 */
export function compressStream(body: Readable, request: FastifyRequest, reply: FastifyReply): Readable {
  void reply.header('Vary', 'Accept-Encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return body;
  void reply.header('Content-Encoding', 'gzip');
  // Either stream ends the other, so that an aborted list never looks complete. The owner of `body` reports errors.
  return pipeline(body, createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH }), () => undefined);
}

/** As {@link compressStream}, for a text that is in memory. */
export async function compressText(
  text: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer> {
  void reply.header('Vary', 'Accept-Encoding');
  if (text.length < MIN_LENGTH || !acceptsGzip(request.headers['accept-encoding'])) return text;
  void reply.header('Content-Encoding', 'gzip');
  return compress(text, { level: LEVEL });
}

/** True if the header `Accept-Encoding` lists gzip, or any encoding, with a weight above zero (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = readWeights(String(header ?? ''));
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** The weights of what a header such as `Accept` lists, each in lower case without its parameters (RFC 9110, 12.4.2). */
export function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

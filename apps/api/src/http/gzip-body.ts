import { Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PortageError } from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { streamsBody } from './streamed-body';

/**
 * Registers the unpacking of bodies with `Content-Encoding: gzip`. It runs before the body is parsed, so that every
 * limit of the parser applies to the unpacked bytes. Unpacking stops at the body limit of the route. Other encodings
 * are refused with 415 and `Accept-Encoding: gzip`.
 */
export function registerGzipBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'gzip' || encoding === 'x-gzip')
      // A streamed body unpacks itself, because it has no limit of unpacked bytes.
      done(null, streamsBody(request) ? payload : unpack(request, payload as FastifyRequest['raw']));
    else if (encoding === 'identity' || encoding === '') done(null, payload);
    else {
      void reply.header('Accept-Encoding', 'gzip');
      done(
        new PortageError(
          'unsupported_media_type',
          'Send the body plain or with Content-Encoding: gzip. Other encodings are not supported.',
        ),
      );
    }
  });
}

/** The unpacked bytes of a body. */
class UnpackedBody extends Transform {
  /** Packed bytes so far. Fastify compares them with Content-Length. */
  receivedEncodedLength = 0;
  private byteCount = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.byteCount += chunk.length;
    if (this.byteCount <= this.maxBytes) done(null, chunk);
    else
      done(new PortageError('payload_too_large', `The unpacked body is larger than ${this.maxBytes} bytes.`));
  }
}

/** `pipeline` is not used, because it would end the connection of a request that is refused. */
function unpack(request: FastifyRequest, packed: FastifyRequest['raw']): UnpackedBody {
  const gunzip = createGunzip();
  const body = new UnpackedBody(request.routeOptions.bodyLimit);
  packed.on('data', ({ length }: Buffer) => {
    body.receivedEncodedLength += length;
  });
  packed.once('close', () => {
    if (!packed.complete) body.destroy(new Error('The connection was lost.'));
  });
  // A refused body has no reader, and may still fail. An error without a listener ends the process.
  body.on('error', () => undefined);
  gunzip.on('error', () => {
    body.destroy(
      new PortageError('parse_error', 'The body is not valid gzip, as its Content-Encoding says.'),
    );
  });
  body.once('close', () => {
    if (packed.readableEnded) return;
    // The body was refused. See registerUnreadBodies for its rest.
    packed.unpipe(gunzip);
    gunzip.destroy();
    packed.resume();
  });
  packed.pipe(gunzip).pipe(body);
  return body;
}

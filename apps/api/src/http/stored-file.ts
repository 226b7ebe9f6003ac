import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './compression';

/** A file in memory: its bytes are made and compressed once, and nothing is computed for a request. */
export interface StoredFile {
  readonly type: string;
  readonly content: Buffer;
  /** Undefined if compression gains nothing. */
  readonly gzipped: Buffer | undefined;
  /** Weak, because it is the same for both encodings. */
  readonly etag: string;
}

/** Compresses a file, unless its format is compressed already. */
export function storeFile(type: string, content: Buffer | string, isCompressible = true): StoredFile {
  const bytes = Buffer.from(content as string);
  return {
    type,
    content: bytes,
    gzipped: isCompressible ? gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }) : undefined,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

/** Sends a file, or 304 to a client that has it. */
export function sendFile(file: StoredFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.header('ETag', file.etag).header('Vary', 'Accept-Encoding');
  if (hasFile(request.headers['if-none-match'], file)) return reply.status(304).send();
  void reply.type(file.type);
  if (!file.gzipped || !acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.content);
  return reply.header('Content-Encoding', 'gzip').send(file.gzipped);
}

/** Sends a document that a client may keep and has to ask for again. */
export function sendDocument(file: StoredFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFile(file, request, reply.header('Cache-Control', 'no-cache'));
}

/** True if `If-None-Match` lists the file. Its tags are compared without their strength (RFC 9110, 13.1.2). */
function hasFile(header: string | undefined, { etag }: StoredFile): boolean {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.slice(2));
}

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Account } from './generated/api';
import type { ByteStream, StreamedBody } from './transport/transport';

/** A part of a book: bytes or text with lines of NDJSON, or an account, which becomes a line. */
export type BookPart = Uint8Array | string | Account;

/**
 * The lines of a book: the path of a file, plain or compressed with gzip; a function that begins them again for each
 * attempt; or a stream, which is sent once and not repeated.
 */
export type BookSource = { file: string | URL } | (() => AsyncIterable<BookPart>) | AsyncIterable<BookPart>;

/** A book as the body of an upload. */
export interface BookBody {
  stream: StreamedBody;
  /** False if the lines can be read only once. */
  isRepeatable: boolean;
}

/**
 * Makes the body of an upload, compressed with gzip, of any length in constant memory.
 *
 * @throws Error if the file cannot be read, before anything is sent
 */
export async function bookBody(source: BookSource): Promise<BookBody> {
  if ('file' in source) {
    const isCompressed = await hasGzipHeader(source.file);
    const read = () => createReadStream(source.file);
    return { stream: isCompressed ? read : () => compress(read()), isRepeatable: true };
  }
  const isRepeatable = typeof source === 'function';
  return { stream: () => compress(bytesOf(isRepeatable ? source() : source)), isRepeatable };
}

async function hasGzipHeader(path: string | URL): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

async function* bytesOf(parts: AsyncIterable<BookPart>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (part instanceof Uint8Array) yield part;
    else yield Buffer.from(typeof part === 'string' ? part : `${JSON.stringify(part)}\n`);
  }
}

/** The fastest level: lines of accounts shrink to a tenth at any level. */
function compress(bytes: AsyncIterable<Uint8Array>): ByteStream {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  // The reader of the stream throws its errors.
  return pipeline(Readable.from(bytes), gzip, () => undefined);
}

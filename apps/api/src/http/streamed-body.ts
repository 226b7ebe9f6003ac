import { PassThrough, type Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { PortageError } from '@portage/platform';
import type { UploadBody } from '@portage/submissions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { watchAccess } from './access-check';
import { hasBody } from './admission/read-body';
import { exemptFromRequestTimeout } from './client-error';
import { NOT_JSON } from './error-filter';
import { AddRouteConfig, routeConfigOf, type StreamedMediaType } from './route-config';

/** The media type of JSON values, each on a line. */
export const LINES_MEDIA_TYPE = 'application/x-ndjson';

/** The media type of documents. */
export const PDF_MEDIA_TYPE = 'application/pdf';

/** How a streamed body is sent. */
const HOW_TO_SEND: Readonly<Record<StreamedMediaType, string>> = {
  [LINES_MEDIA_TYPE]: `Send one account or one addition a line, with the header Content-Type: ${LINES_MEDIA_TYPE}, plain or with Content-Encoding: gzip.`,
  [PDF_MEDIA_TYPE]: `Send the bytes of the PDF, with the header Content-Type: ${PDF_MEDIA_TYPE} and without Content-Encoding.`,
};

/**
 * How many times more unpacked than packed bytes there may be: more than text ever has. The first accounts may repeat
 * each other more, until the allowance is used up.
 */
const MAX_RATIO = 200;
const UNPACKED_ALLOWANCE_BYTES = 256 << 10;

/** What a line counts for beside its bytes, because it costs a part of a statement, however short it is. */
const BYTES_PER_LINE = 128;

/**
 * Bytes that are read before they are needed. A connection that is not read does not tell that its client has gone, so
 * the end of a client is noticed at once if less than this is ahead of the lines.
 */
const READ_AHEAD_BYTES = 1 << 20;

/** Bytes of long lines that are unpacked and dropped, because they are compressed more than accounts are. */
const MAX_CUT_BYTES = 64 << 20;

const LINE_FEED = 0x0a;

/**
 * Bytes that are unpacked at a time. Each chunk is a job of the thread pool and several turns of the event loop, which
 * take longer than the unpacking of the 16 KiB that are Node's default.
 */
const UNPACKED_CHUNK_BYTES = 64 << 10;

/** Time after which a sender that sends nothing is dropped. */
export const STALLED_UPLOAD_MS = 30_000;

/** Marks a route whose body is read as a stream, of any length. */
export const StreamsBody = (mediaType: StreamedMediaType): MethodDecorator =>
  AddRouteConfig({ streamsBody: mediaType });

/** True if the route of a request reads its body as a stream. */
export function streamsBody(request: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeConfigOf(request).streamsBody !== undefined;
}

/**
 * Registers the media type of streamed bodies, for routes with {@link StreamsBody}. Their handlers get the request
 * unread, and other routes refuse the type. It must precede the hook that unpacks bodies.
 */
export function registerStreamedBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const { streamsBody: expected } = routeConfigOf(request);
    const isExpected = mediaTypeOf(request) === expected && (expected !== PDF_MEDIA_TYPE || isPlain(request));
    if (expected === undefined || isExpected || !hasBody(request)) done(null, payload);
    else {
      void reply.header('Accept', expected);
      done(new PortageError('unsupported_media_type', HOW_TO_SEND[expected]));
    }
  });
  fastify.addContentTypeParser([LINES_MEDIA_TYPE, PDF_MEDIA_TYPE], (request, payload, done) => {
    if (streamsBody(request)) done(null, payload);
    else done(NOT_JSON);
  });
}

function isPlain({ headers }: FastifyRequest): boolean {
  return /^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '');
}

function mediaTypeOf({ headers }: FastifyRequest): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/** The body of one request, read with back-pressure: the connection is paused while nothing reads. */
export class StreamedBody implements UploadBody {
  private readonly source: Readable;
  private gunzip: Gunzip | undefined;
  private readonly chunks: (Buffer | 'cut')[] = [];
  private packedBytes = 0;
  private unpackedBytes = 0;
  /** Unpacked bytes of the present line. */
  private lineBytes = 0;
  /** True while the rest of a line is dropped. */
  private isCutting = false;
  private cutBytes = 0;
  private hasEnded = false;
  /** True once nothing more may be read, whatever has arrived. */
  private isEnded = false;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private readonly restoreTimeout: () => void;
  private readonly stopAccessCheck: () => void;
  /** The reader has waited since then without a packed byte, which were this many. */
  private quietSince = 0;
  private quietBytes = 0;
  private wasIdle = false;

  /** @param isClosing true once the process stops, and uploads must end */
  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly isClosing: () => boolean,
    private readonly stalledMs = STALLED_UPLOAD_MS,
    private readonly now = () => performance.now(),
  ) {
    const { raw } = request;
    this.restoreTimeout = exemptFromRequestTimeout(raw.socket);
    raw.on('data', ({ length }: Buffer) => {
      this.packedBytes += length;
    });
    this.stopAccessCheck = watchAccess(request, (error) => {
      this.end(error);
    });
    this.source = this.unpack();
    this.source
      .on('data', (chunk: Buffer) => {
        this.accept(chunk);
      })
      .on('end', () => {
        this.hasEnded = true;
        this.notify();
      });
    const failAsLost = () => {
      this.end(new PortageError('parse_error', 'The connection was lost.'));
    };
    raw.on('error', failAsLost);
    // Also once the body has arrived: its sender does not get the answer, and sends the whole file again.
    this.reply.raw.once('close', failAsLost);
  }

  throwIfEnded(): void {
    if (this.isEnded && this.failure) throw this.failure;
  }

  async read(idleMs: number): Promise<Buffer | 'cut' | 'idle' | undefined> {
    // While nothing reads, the sender is held up and not to blame.
    if (!this.wasIdle) this.quietSince = this.now();
    if (this.chunks.length === 0 && !this.hasEnded && !this.failure) await this.waitForBytes(idleMs);
    if (this.isClosing() && !this.hasEnded)
      throw new PortageError('unavailable', 'The service restarts. Send the whole file again.');
    this.throwIfEnded();
    const chunk = this.chunks.shift();
    this.wasIdle = !chunk;
    if (chunk) return chunk;
    if (this.failure) throw this.failure;
    if (this.hasEnded) return undefined;
    if (this.packedBytes !== this.quietBytes) {
      this.quietBytes = this.packedBytes;
      this.quietSince = this.now();
    }
    if (this.now() - this.quietSince >= this.stalledMs)
      throw new PortageError(
        'upload_stalled',
        `Nothing was sent for ${this.stalledMs / 1_000} s. What was read is stored. Send the whole file again.`,
      );
    return 'idle';
  }

  /** Ends the reading. See registerUnreadBodies for the rest of the body. */
  close(): void {
    const { raw } = this.request;
    this.stopAccessCheck();
    this.chunks.length = 0;
    raw.unpipe();
    this.source.removeAllListeners('data').destroy();
    raw.resume();
    this.reply.raw.once('close', this.restoreTimeout);
  }

  private unpack(): Readable {
    const { raw, headers } = this.request;
    const ahead = raw.pipe(new PassThrough({ highWaterMark: READ_AHEAD_BYTES }));
    if (!/^\s*(x-)?gzip\s*$/i.test(headers['content-encoding'] ?? '')) return ahead;
    this.gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES });
    this.gunzip.on('error', ({ code }: NodeJS.ErrnoException) => {
      const detail =
        code === 'Z_BUF_ERROR'
          ? 'The compressed body ends too early.'
          : 'The body is not valid gzip, as its Content-Encoding says.';
      this.fail(new PortageError('parse_error', detail));
    });
    return ahead.pipe(this.gunzip);
  }

  private accept(unpacked: Buffer): void {
    const chunk = this.dropRestOfLine(unpacked);
    if (!chunk) return;
    const isBomb = this.isBomb(chunk);
    if (isBomb && this.cut(chunk)) return;
    if (isBomb || this.cutBytes > MAX_CUT_BYTES) {
      this.source.pause();
      this.fail(
        new PortageError(
          'parse_error',
          `The body unpacks to more than ${MAX_RATIO} times its size, or to as many short lines, which accounts do not.`,
        ),
      );
      return;
    }
    this.chunks.push(chunk);
    this.source.pause();
    this.notify();
  }

  private isBomb(chunk: Buffer): boolean {
    if (!this.gunzip) return false;
    this.unpackedBytes += chunk.length;
    const last = chunk.lastIndexOf(LINE_FEED);
    this.lineBytes = last === -1 ? this.lineBytes + chunk.length : chunk.length - last - 1;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1))
      this.unpackedBytes += BYTES_PER_LINE;
    return this.unpackedBytes > UNPACKED_ALLOWANCE_BYTES + MAX_RATIO * this.gunzip.bytesWritten;
  }

  /**
   * Drops a line that alone unpacks to too much, so that it is refused without the others. Its bytes do not count any more.
   *
   * @returns false if there are several lines in the chunk
   */
  private cut(chunk: Buffer): boolean {
    if (chunk.includes(LINE_FEED)) return false;
    this.unpackedBytes -= this.lineBytes;
    this.cutBytes += chunk.length;
    this.isCutting = true;
    this.chunks.push('cut');
    this.notify();
    return true;
  }

  /** The bytes after a line that is dropped; undefined if there are none yet. */
  private dropRestOfLine(chunk: Buffer): Buffer | undefined {
    if (!this.isCutting) return chunk;
    const end = chunk.indexOf(LINE_FEED);
    this.cutBytes += end === -1 ? chunk.length : end;
    if (end === -1 && this.cutBytes <= MAX_CUT_BYTES) return undefined;
    this.isCutting = false;
    return chunk.subarray(Math.max(end, 0));
  }

  private async waitForBytes(idleMs: number): Promise<void> {
    this.source.resume();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idleMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }

  private end(error: Error): void {
    this.isEnded = true;
    this.fail(error);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.notify();
  }

  private notify(): void {
    this.wake?.();
  }
}

import { Readable } from 'node:stream';
import { type Logger, TimedOut, withTimeout } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { watchAccess } from './access-check';
import { compressStream, compressText } from './compression';

/**
 * Time after which an answer begins that has nothing to send yet. Until then an error, such as an unavailable database,
 * has its own status; afterwards it closes the connection, so that the answer does not look complete.
 */
export const BEGIN_AFTER_MS = 1_000;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer that is sent while it is read. */
export interface StreamedAnswer {
  type: string;
  /** True if the header `Accept` has chosen the type. */
  isNegotiated?: boolean;
  /** True if the text is one chunk, for which the client may wait. */
  isOneChunk?: boolean;
  /**
   * The text, chunk by chunk, so that memory holds one of them.
   *
   * @param gone is aborted when the client disconnects or may not go on, and must end what is read for it, statements
   * included
   */
  read: (gone: AbortSignal) => AsyncGenerator<string> | Promise<AsyncGenerator<string>>;
}

/**
 * Sends an answer while it is read. It begins within {@link BEGIN_AFTER_MS} of the first read, whether that has found
 * something or not, and ends with its client.
 */
export async function sendStreamed(
  { type, isNegotiated = false, isOneChunk = false, read }: StreamedAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): Promise<void> {
  const { gone, revoked } = watchClient(request, reply);
  let first: IteratorResult<string, unknown> | undefined;
  let reading: Promise<IteratorResult<string, unknown>>;
  let text: AsyncGenerator<string>;
  try {
    text = await read(gone);
    reading = text.next();
    first = await settledWithin(BEGIN_AFTER_MS, reading);
    revoked.throwIfAborted();
  } catch (error) {
    if (revoked.aborted) throw revoked.reason;
    if (!gone.aborted) throw error;
    // No client gets this answer. It ends what the request holds.
    await reply.send('');
    return;
  }
  void reply.type(type);
  if (isOneChunk && first && !first.done) {
    await reply.send(await compressText(first.value, request, reply));
    return;
  }
  const list = Readable.from(startingWith(reading, text), { objectMode: false });
  revoked.addEventListener('abort', () => list.destroy(revoked.reason as Error));
  // The status 200 has been sent by then, so the response is aborted and does not look complete.
  list.once('error', (error: NodeJS.ErrnoException) => {
    // A client that disconnects ends the compressed list early, which is no failure.
    if (gone.aborted || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    const organisationId = request.caller?.organisationId;
    logger.error('A list response was aborted.', {
      requestId: request.id,
      ...(organisationId === undefined ? {} : { organisationId }),
      error,
    });
  });
  const body = compressStream(list, request, reply);
  if (isNegotiated) void reply.header('Vary', 'Accept, Accept-Encoding');
  if (!first)
    reply.raw.once('pipe', () => {
      reply.raw.flushHeaders();
    });
  await reply.send(body);
}

/**
 * Watches the client of an answer: `revoked` is aborted when it may not go on, and `gone` also when the connection
 * closes. The request itself also closes once its body was read, and with it Fastify's `request.signal`.
 */
function watchClient(request: FastifyRequest, { raw }: FastifyReply) {
  const gone = new AbortController();
  const revoked = new AbortController();
  const stop = watchAccess(request, (error) => {
    revoked.abort(error);
    gone.abort(error);
  });
  const leave = () => {
    stop();
    gone.abort();
  };
  if (raw.destroyed || raw.socket?.destroyed === true) leave();
  else raw.once('close', leave);
  return { gone: gone.signal, revoked: revoked.signal };
}

/** Sends a list as one JSON array. */
export async function sendJsonList(
  read: (gone: AbortSignal) => Promise<AsyncIterable<object[]>>,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): Promise<void> {
  const answer = { type: JSON_TYPE, read: async (gone: AbortSignal) => toJsonArray(await read(gone)) };
  await sendStreamed(answer, request, reply, logger);
}

/** The result of `promise`; undefined if it has none within `ms`. Its error after that is the error of a later await. */
export async function settledWithin<Result>(
  ms: number,
  promise: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await withTimeout(ms, promise);
  } catch (error) {
    if (error instanceof TimedOut) return undefined;
    throw error;
  }
}

/** Continues a generator whose first result is being read. */
async function* startingWith<Item>(
  reading: Promise<IteratorResult<Item, unknown>>,
  rest: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  const first = await reading;
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** The text of one JSON array, chunk by chunk. */
async function* toJsonArray(chunks: AsyncIterable<object[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const items of chunks) {
    yield separator + items.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

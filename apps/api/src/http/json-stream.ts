import { Readable } from 'node:stream';
import type { Logger } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressStream } from './compression';

/** Sends a list as one JSON array, chunk by chunk, so that memory holds one chunk of it. */
export async function sendJsonStream(
  chunks: AsyncIterable<object[]>,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
  organisationId: number,
): Promise<void> {
  const media = { type: 'application/json; charset=utf-8' };
  await sendTextStream(toJsonArray(chunks), media, request, reply, logger, organisationId);
}

/** The media type of a list, and whether the header `Accept` has chosen it. */
export interface StreamedMedia {
  type: string;
  isNegotiated?: boolean;
}

/** Sends a list as text, chunk by chunk, so that memory holds one chunk of it. */
export async function sendTextStream(
  text: AsyncGenerator<string>,
  { type, isNegotiated = false }: StreamedMedia,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
  organisationId?: number,
): Promise<void> {
  // Read before the status 200 is sent, so that an unavailable database is still answered with 503.
  const first = await text.next();
  const list = Readable.from(startingWith(first, text), { objectMode: false });
  // The status 200 has been sent by then, so the response is aborted and does not look complete.
  list.once('error', (error: NodeJS.ErrnoException) => {
    // A client that disconnects ends the compressed list early, which is no failure.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    logger.failure('A list response was aborted.', {
      requestId: request.id,
      ...(organisationId === undefined ? {} : { organisationId }),
      error,
    });
  });
  void reply.type(type);
  const body = compressStream(list, request, reply);
  if (isNegotiated) void reply.header('Vary', 'Accept, Accept-Encoding');
  await reply.send(body);
}

/** Continues a generator whose first result has been read. */
async function* startingWith<Item>(
  first: IteratorResult<Item, unknown>,
  rest: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hasBody } from './admission/read-body';

/**
 * How much of a body is read and dropped after its answer, and for how long. A client that sends all of its body before
 * it reads would otherwise find its connection reset, and no answer.
 */
const MAX_DROPPED_BYTES = 64 << 20;
const MAX_DROPPING_MS = 30_000;

/** The last request of each connection, and its answer. */
const exchanges = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();

/**
 * Registers what becomes of a body whose request is answered before all of it has arrived, whichever hook, parser or
 * handler has answered: the rest is dropped, and the connection goes on with its next request. It is closed if the rest
 * is too long. This must precede hooks that add the header `Connection`, because others set it for such a request.
 */
export function registerUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    exchanges.set(request.socket, { request, response });
    done();
  });
  fastify.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (hasBody(raw) && !raw.complete && !raw.destroyed) {
      // Node would close the connection with unread bytes, which resets it before the client has read the answer.
      void reply.removeHeader('Connection');
      dropRest(raw);
    }
    done();
  });
}

/**
 * What an error of the connection belongs to: `answered` if the client has the beginning of an answer, which nothing
 * may follow or interrupt; `complete` if a whole request waits for its answer, which the error is not about.
 */
export function exchangeOf(socket: Socket): 'none' | 'arriving' | 'complete' | 'answered' {
  const exchange = exchanges.get(socket);
  if (!exchange) return 'none';
  const { request, response } = exchange;
  if (request.complete) return response.writableFinished ? 'none' : 'complete';
  return response.headersSent ? 'answered' : 'arriving';
}

function dropRest(request: IncomingMessage): void {
  const { socket } = request;
  const start = socket.bytesRead;
  const close = () => {
    socket.destroy();
  };
  const timer = setTimeout(close, MAX_DROPPING_MS);
  const stop = () => {
    clearTimeout(timer);
  };
  // What unpacks the body reads no further.
  request.unpipe();
  request.on('data', () => {
    if (socket.bytesRead - start > MAX_DROPPED_BYTES) close();
  });
  request.once('end', stop).once('close', stop).resume();
}

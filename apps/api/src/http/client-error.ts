import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@portage/platform';
import { exchangeOf } from './unread-body';

interface ErrorAnswer {
  status: string;
  code: ErrorCode;
  detail: string;
}

const NOT_HTTP: ErrorAnswer = {
  status: '400 Bad Request',
  code: 'parse_error',
  detail: 'The request is not valid HTTP.',
};
const ANSWERS: Readonly<Record<string, ErrorAnswer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'parse_error',
    detail: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'payload_too_large',
    detail: `The headers are larger than ${maxHeaderSize} bytes.`,
  },
};

/** Connections with an upload, which may take longer than REQUEST_TIMEOUT_MS. The upload has a limit of its own. */
const exempt = new WeakSet<Socket>();

/** Lets the request of a connection take longer than REQUEST_TIMEOUT_MS. Returns a function that ends that. */
export function exemptFromRequestTimeout(socket: Socket): () => void {
  exempt.add(socket);
  return () => {
    exempt.delete(socket);
  };
}

/**
 * Closes a connection on which no byte has moved for STALLED_TIMEOUT_MS, if its client is the cause: it does not read its
 * answer, or sends no request. While the service works on a request, however long, there is nothing to move.
 */
export function handleStalledConnection(socket: Socket): void {
  // A body that is read as a stream has a limit of its own.
  const isRequestRead = exempt.has(socket) || exchangeOf(socket) === 'complete';
  if (!isRequestRead || socket.writableLength > 0) socket.destroy();
}

/**
 * Answers bytes that are not a complete HTTP request with an ordinary error body, and closes the connection. A request
 * has one answer, so there is none for bytes that follow an answer or a request that waits for its answer.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  const exchange = exchangeOf(socket);
  // The rest of a body that is dropped has a limit of its own.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (exempt.has(socket) || exchange === 'answered')) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (exchange === 'answered' || exchange === 'complete') {
    socket.destroySoon();
    return;
  }
  const { status, code, detail } = ANSWERS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ detail, code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

import type { Socket } from 'node:net';
import type { ErrorCode } from '@portage/domain';

interface Refused {
  status: string;
  code: ErrorCode;
  detail: string;
}

const NOT_HTTP: Refused = {
  status: '400 Bad Request',
  code: 'parse_error',
  detail: 'The request is not HTTP.',
};
const REFUSED: Readonly<Record<string, Refused>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'parse_error',
    detail: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'payload_too_large',
    detail: 'The headers are too large.',
  },
};

/** Answers what never becomes a request, in the shape of every other error (DESIGN 1), and hangs up. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, detail } = REFUSED[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ detail, code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

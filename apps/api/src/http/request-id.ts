import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const SAFE_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The client's X-Request-Id if it is safe to log and to echo, or else a new one. */
export function requestId(request: { headers: IncomingHttpHeaders }): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && SAFE_ID.test(header) ? header : randomUUID();
}

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Identifiers as programs make them: UUIDs, ULIDs, trace ids, `req_…`, `Root=1-…`. Safe to log, to echo and to show. */
const WELL_FORMED_ID = /^[A-Za-z0-9._:=+/@~-]{1,128}$/;

/** The client's X-Request-Id if it is well-formed, or else a new one. */
export function requestId(request: { headers: IncomingHttpHeaders }): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && WELL_FORMED_ID.test(header) ? header : randomUUID();
}

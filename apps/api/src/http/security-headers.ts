import type { FastifyRequest } from 'fastify';

/** What libraries serve for people: pages with scripts and styles of their own. */
const PAGES = /^\/(docs|queues)(\/|$)/;

/** For answers that are data: no browser shows them as a page, keeps them, or tells others of them. */
const OF_DATA = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Nothing from another host, no script that stands in the page itself; the pages do write styles into themselves. */
const OF_PAGES = {
  ...OF_DATA,
  'Content-Security-Policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
} as const;

const OVER_TLS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

/**
 * The headers of every answer. There are none for other origins (CORS): no page but our own may read an answer.
 * TLS ends before the API, and a trusted proxy says so.
 */
export function securityHeaders({
  routeOptions,
  protocol,
}: FastifyRequest): Readonly<Record<string, string>> {
  const headers = PAGES.test(routeOptions.url ?? '') ? OF_PAGES : OF_DATA;
  return protocol === 'https' ? { ...headers, ...OVER_TLS } : headers;
}

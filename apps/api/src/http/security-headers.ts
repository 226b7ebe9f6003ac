import type { FastifyRequest } from 'fastify';

/** Pages that libraries serve, with their own scripts and styles. */
const PAGE_PATHS = /^\/(docs|queues)(\/|$)/;

/** Headers of data, which browsers must not render or cache. */
const DATA_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Headers of pages, which load nothing from other hosts and run no inline scripts. They need inline styles. */
const PAGE_HEADERS = {
  ...DATA_HEADERS,
  'Content-Security-Policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
} as const;

const CONSOLE_PATHS = /^\/console(\/|$)/;

/**
 * Headers of the operator's console: its own scripts, styles, fonts and requests, and nothing inline. Styles that its
 * scripts set on elements need no permission.
 */
const CONSOLE_HEADERS = {
  ...DATA_HEADERS,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
} as const;

const TLS_HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

/**
 * The security headers of every response. There are no CORS headers, because no page of another origin may read a
 * response. `protocol` is https if a trusted proxy in front of the API terminated TLS.
 */
export function securityHeaders({
  routeOptions,
  protocol,
}: FastifyRequest): Readonly<Record<string, string>> {
  const headers = headersOf(routeOptions.url ?? '');
  return protocol === 'https' ? { ...headers, ...TLS_HEADERS } : headers;
}

function headersOf(route: string): Readonly<Record<string, string>> {
  if (CONSOLE_PATHS.test(route)) return CONSOLE_HEADERS;
  return PAGE_PATHS.test(route) ? PAGE_HEADERS : DATA_HEADERS;
}

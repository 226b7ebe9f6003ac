import type { Config } from './config';

/** Longest time that a client may take to send the headers of a request. */
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Time after which a connection is closed on which no byte moves although a request is active: a client that does not
 * read its answer would otherwise hold it, and what produces it, without end.
 */
const STALLED_TIMEOUT_MS = 60_000;

/** Time that a stalled connection has beyond the longest regular pause of its client: a slow body. */
const STALLED_MARGIN_MS = 30_000;

/** How often Node looks for connections that are over a limit. Its default of 30 s would delay each limit by that. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Options of Fastify that limit how long a client may take to send its headers and its body, how long it may keep an
 * idle connection, and how long it may leave an answer unread.
 */
export function httpTimeouts(
  config: Pick<Config, 'REQUEST_TIMEOUT_MS' | 'KEEP_ALIVE_TIMEOUT_MS'>,
  { headersTimeoutMs = HEADERS_TIMEOUT_MS, stalledTimeoutMs = stalledTimeout(config) } = {},
) {
  return {
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: stalledTimeoutMs,
    http: {
      // Node refuses to start if headers may take longer than the whole request.
      headersTimeout: Math.min(headersTimeoutMs, config.REQUEST_TIMEOUT_MS),
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
  };
}

function stalledTimeout({ REQUEST_TIMEOUT_MS }: Pick<Config, 'REQUEST_TIMEOUT_MS'>): number {
  return Math.max(STALLED_TIMEOUT_MS, REQUEST_TIMEOUT_MS + STALLED_MARGIN_MS);
}

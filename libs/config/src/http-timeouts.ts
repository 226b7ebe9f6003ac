import type { Config } from './config';

/** Longest time that a client may take to send the headers of a request. */
const HEADERS_TIMEOUT_MS = 10_000;

/** How often Node looks for connections that are over a limit. Its default of 30 s would delay each limit by that. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Options of Fastify that limit how long a client may take to send its headers and its body, and how long it may keep
 * an idle connection.
 */
export function httpTimeouts(
  config: Pick<Config, 'REQUEST_TIMEOUT_MS' | 'KEEP_ALIVE_TIMEOUT_MS'>,
  headersTimeoutMs = HEADERS_TIMEOUT_MS,
) {
  return {
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    http: {
      // Node refuses to start if headers may take longer than the whole request.
      headersTimeout: Math.min(headersTimeoutMs, config.REQUEST_TIMEOUT_MS),
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
  };
}

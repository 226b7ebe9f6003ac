import type { Config } from './config';

/** Interval of the check for timed-out requests. Node's default of 30 s would be added to each timeout. */
const CONNECTION_CHECK_INTERVAL_MS = 1_000;

/** Fastify options that limit how long a client may take to send headers and body and may keep a connection idle. */
export function httpTimeouts(
  config: Pick<Config, 'HEADERS_TIMEOUT_MS' | 'REQUEST_TIMEOUT_MS' | 'KEEP_ALIVE_TIMEOUT_MS'>,
) {
  return {
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    http: {
      // Node does not start if the headers timeout is longer than the request timeout.
      headersTimeout: Math.min(config.HEADERS_TIMEOUT_MS, config.REQUEST_TIMEOUT_MS),
      connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
    },
  };
}

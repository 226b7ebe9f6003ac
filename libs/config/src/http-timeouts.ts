import type { Config } from './config';

/** How often connections are looked at whose request is late: Node's half a minute would come on top of each limit. */
const LOOK_EVERY_MS = 1_000;

/** Options of Fastify that limit how long a client may take (DESIGN 3, promise 5): headers, body, silence in between. */
export function httpTimeouts(
  config: Pick<Config, 'HEADERS_TIMEOUT_MS' | 'REQUEST_TIMEOUT_MS' | 'KEEP_ALIVE_TIMEOUT_MS'>,
) {
  return {
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    http: {
      // Node refuses to start when headers may take longer than the whole request.
      headersTimeout: Math.min(config.HEADERS_TIMEOUT_MS, config.REQUEST_TIMEOUT_MS),
      connectionsCheckingInterval: LOOK_EVERY_MS,
    },
  };
}

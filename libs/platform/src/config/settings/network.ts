import { str } from 'envalid';
import { publicHosts } from '../public-hosts';
import { trustedProxies } from '../trusted-proxies';
import { integer, optional } from '../validators';

export const networkSettings = {
  API_HOST: str({ default: '127.0.0.1', desc: 'IP address that the API listens on.' }),
  API_PORT: integer({
    min: 0,
    max: 65_535,
    default: 3000,
    desc: 'TCP port of the API. It serves REST, /docs, /openapi.json, /queues, /health/live, /health/ready and /metrics. 0 selects a free port.',
  }),
  PUBLIC_HOSTS: publicHosts({
    ...optional,
    desc: 'Host names under which clients reach the API, separated by commas, such as portage.example.com. The OpenAPI and AsyncAPI documents list them as servers. Default: no names.',
  }),
  TRUSTED_PROXIES: trustedProxies({
    ...optional,
    desc: 'Proxies whose X-Forwarded-For header the API trusts, separated by commas: addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal. Default: the header is ignored.',
  }),
  WORKER_HOST: str({
    default: '127.0.0.1',
    desc: 'IP address that the health and metrics server of the worker listens on.',
  }),
  WORKER_PORT: integer({
    min: 0,
    max: 65_535,
    default: 3001,
    desc: 'TCP port of the worker. It serves /health/live, /health/ready and /metrics. 0 selects a free port.',
  }),
  REQUEST_TIMEOUT_MS: integer({
    min: 1_000,
    max: 600_000,
    default: 30_000,
    desc: 'Maximum time in milliseconds for a client to send a whole request, body included.',
  }),
  KEEP_ALIVE_TIMEOUT_MS: integer({
    min: 1_000,
    max: 600_000,
    default: 72_000,
    desc: 'Time in milliseconds after which an idle keep-alive connection is closed. Set it longer than the idle timeout of the load balancer.',
  }),
};

import { PortageError } from '@portage/platform';
import type { FastifyInstance, HTTPMethods } from 'fastify';

type Routes = Map<string, Set<string>>;

const HTTP_METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The paths of the contract and of operations. The pages under /docs and /queues are served by libraries. */
const OWN_PATHS = /^\/(v1|v2|operator|health|metrics)(\/|$)/;

/** Collects every route that is registered from now on: its path and methods. */
export function collectRoutes(fastify: FastifyInstance): Routes {
  const routes: Routes = new Map();
  fastify.addHook('onRoute', (route) => {
    const methods = routes.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method.toUpperCase());
    routes.set(route.url, methods);
  });
  return routes;
}

/** Registers a 405 with `Allow` for each method that a collected path does not have. */
export function registerMethodNotAllowed(fastify: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of [...routes]) {
    if (!OWN_PATHS.test(url)) continue;
    const missing = HTTP_METHODS.filter((method) => !methods.has(method));
    if (missing.length === 0) continue;
    const allow = [...methods].sort().join(', ');
    const error = new PortageError('method_not_allowed', `This address supports ${allow} only.`);
    fastify.route({
      method: missing,
      url,
      // Before a body is read, because no handler uses it.
      onRequest: (_request, reply, done) => {
        void reply.header('Allow', allow);
        done(error);
      },
      handler: () => {
        throw error;
      },
    });
  }
}

import { PortageError } from '@portage/domain';
import type { FastifyInstance, HTTPMethods } from 'fastify';

type Routes = Map<string, Set<string>>;

const ANSWERED: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The addresses of the contract and of operations; what libraries serve under /docs and /queues is theirs. */
const OURS = /^\/(v1|v2|health|metrics)(\/|$)/;

/** Notes every route that is added from now on. */
export function rememberRoutes(fastify: FastifyInstance): Routes {
  const routes: Routes = new Map();
  fastify.addHook('onRoute', (route) => {
    const methods = routes.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method.toUpperCase());
    routes.set(route.url, methods);
  });
  return routes;
}

/** Answers 405 with `Allow` where a known path is asked with a method it does not have (DESIGN 1). */
export function answerMethodNotAllowed(fastify: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of [...routes]) {
    if (!OURS.test(url)) continue;
    const missing = ANSWERED.filter((method) => !methods.has(method));
    if (missing.length === 0) continue;
    const allow = [...methods].sort().join(', ');
    fastify.route({
      method: missing,
      url,
      // Not async: a reply is itself awaited, and would wait for the answer that comes after it.
      handler: (_request, reply) => {
        void reply.header('Allow', allow);
        throw new PortageError('method_not_allowed', `This address answers ${allow} only.`);
      },
    });
  }
}

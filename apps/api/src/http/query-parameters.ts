import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodeName, joinWithin } from './ignored-fields';
import { routeConfigOf } from './route-config';

/** Bounds the header `Ignored-Parameters`. */
const MAX_HEADER_LENGTH = 1_000;

/**
 * Registers the hook that names unknown query parameters of data-import routes in the header `Ignored-Parameters`,
 * so that a misspelt one is noticed. They have no effect.
 */
export function registerIgnoredParameters(
  fastify: FastifyInstance,
  appliesTo: (route: string) => boolean,
): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.raw.url?.includes('?') === true && appliesTo(request.routeOptions.url ?? ''))
      setIgnoredParametersHeader(request, reply);
    done();
  });
}

function setIgnoredParametersHeader(request: FastifyRequest, reply: FastifyReply): void {
  const { queryParameters = [] } = routeConfigOf(request);
  const names = Object.keys(request.query as object).filter((name) => !queryParameters.includes(name));
  if (names.length > 0)
    void reply.header('Ignored-Parameters', joinWithin(names.map(encodeName), MAX_HEADER_LENGTH));
}

import { type Config, networkOf, PortageError } from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { requireBody } from '../http/json-body';
import { GraphqlCost } from './graphql-cost';
import { buildErrorAnswer, isRequestError } from './graphql-errors';
import { GRAPHQL_LIMITS } from './graphql-limits';

/** Path of the GraphQL endpoint (contract, "Access"). */
export const GRAPHQL_PATH = '/v1/graphql/';

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

/**
 * Registers the only GraphQL route: a POST of one query as JSON. There is no GET, because proxies log addresses and
 * with them the API keys. There are no batched queries, because one request would then be many attempts.
 */
export function registerGraphqlRoute(
  fastify: FastifyInstance,
  config: Pick<Config, 'MAX_BODY_BYTES'>,
  cost = new GraphqlCost(),
): void {
  fastify.route<{ Body: Record<string, unknown> | undefined }>({
    method: 'POST',
    url: GRAPHQL_PATH,
    bodyLimit: Math.min(GRAPHQL_LIMITS.maxBytes, config.MAX_BODY_BYTES),
    onRequest: (request, _reply, done) => {
      cost.check(networkOf(request.ip));
      done();
    },
    handler: async (request, reply) => {
      const { query, variables, operationName } = parseGraphqlRequest(requireBody(request.body));
      // Parsing and validation are synchronous; the rest waits for the database and is limited by attempts.
      return cost.measure(networkOf(request.ip), async () => {
        // Mercurius also accepts a syntax tree as JSON text, which would bypass the limit of tokens.
        parse(query, { maxLexicalTokens: GRAPHQL_LIMITS.maxTokens, noLocation: true });
        return reply.graphql(query, {}, variables, operationName);
      });
    },
    errorHandler: (error, _request, reply) => {
      // Any other error is a fault and goes to the error handler of all routes.
      if (!isRequestError(error)) throw error;
      const { status, body } = buildErrorAnswer([error], reply);
      void reply.status(status).type('application/json; charset=utf-8').send(body);
    },
  });
}

function parseGraphqlRequest({ query, variables, operationName }: Record<string, unknown>): GraphqlRequest {
  if (
    typeof query !== 'string' ||
    typeof (operationName ?? '') !== 'string' ||
    typeof (variables ?? {}) !== 'object' ||
    Array.isArray(variables)
  )
    throw new PortageError(
      'validation_error',
      'Send a JSON object with `query` (a string) and optionally `variables` (an object) and `operationName` (a string).',
    );
  if (query.length > GRAPHQL_LIMITS.maxQueryLength)
    throw new PortageError(
      'validation_error',
      `The query has more than ${GRAPHQL_LIMITS.maxQueryLength} characters. Send values as variables.`,
    );
  return {
    query,
    variables: (variables ?? undefined) as Record<string, unknown> | undefined,
    operationName: (operationName ?? undefined) as string | undefined,
  };
}

import type { Config } from '@portage/config';
import { PortageError } from '@portage/domain';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { givenBody } from '../http/json-body';
import { answerWithErrors, isAboutTheRequest } from './graphql-errors';

export const GRAPHQL_PATH = '/v1/graphql/';

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

/**
 * The one way to the GraphQL schema: a POST of one query as JSON. Proxies write addresses down, with the keys in
 * them, so there is no GET; a list of queries would be many requests in one, so there is none.
 */
export function answerGraphql(fastify: FastifyInstance, config: Config): void {
  fastify.route<{ Body: Record<string, unknown> | undefined }>({
    method: 'POST',
    url: GRAPHQL_PATH,
    bodyLimit: Math.min(config.GRAPHQL_MAX_BYTES, config.MAX_BODY_BYTES),
    handler: async (request, reply) => {
      const { query, variables, operationName } = graphqlRequest(givenBody(request.body));
      // Mercurius also takes a syntax tree written as JSON, for which its limit of tokens does not hold.
      parse(query, { maxTokens: config.GRAPHQL_MAX_TOKENS, noLocation: true });
      return reply.graphql(query, {}, variables, operationName);
    },
    errorHandler: (error, _request, reply) => {
      // A fault goes on to the handler of all routes.
      if (!isAboutTheRequest(error)) throw error;
      const { status, body } = answerWithErrors([error], reply);
      void reply.status(status).type('application/json; charset=utf-8').send(body);
    },
  });
}

function graphqlRequest({ query, variables, operationName }: Record<string, unknown>): GraphqlRequest {
  if (
    typeof query !== 'string' ||
    typeof (operationName ?? '') !== 'string' ||
    typeof (variables ?? {}) !== 'object' ||
    Array.isArray(variables)
  )
    throw new PortageError(
      'validation_error',
      'Send a JSON object: `query`, a text, and where need be `variables`, an object, and `operationName`, a text.',
    );
  return {
    query,
    variables: (variables ?? undefined) as Record<string, unknown> | undefined,
    operationName: (operationName ?? undefined) as string | undefined,
  };
}

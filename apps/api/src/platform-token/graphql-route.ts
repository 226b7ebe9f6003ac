import { type Config, networkOf, PortageError } from '@portage/platform';
import type { TokenAttempts } from '@portage/tenants';
import type { FastifyInstance } from 'fastify';
import { execute, type ExecutionResult, GraphQLError, parse, specifiedRules, validate } from 'graphql';
import { type ErrorFilter, toFastifyRefusal } from '../http/error-filter';
import { requireBody } from '../http/json-body';
import { GraphqlCost } from './graphql-cost';
import { buildErrorAnswer } from './graphql-errors';
import { GRAPHQL_LIMITS } from './graphql-limits';
import { createResolvers, platformTokenSchema } from './platform-token.schema';
import { buildQueryRules } from './query-rules';

/** Path of the GraphQL endpoint (contract, "Access"). */
export const GRAPHQL_PATH = '/v1/graphql/';

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

/**
 * Registers the only GraphQL route: a POST of one query as JSON. There is no GET, because proxies log addresses and
 * with them the API keys. There are no batched queries, because one request would then be many attempts. Queries can
 * contain API keys, so none is cached.
 */
export function registerGraphqlRoute(
  fastify: FastifyInstance,
  config: Pick<Config, 'MAX_BODY_BYTES' | 'GRAPHQL_INTROSPECTION'>,
  attempts: Pick<TokenAttempts, 'obtain'>,
  errors: Pick<ErrorFilter, 'toPortageError'>,
  cost = new GraphqlCost(),
): void {
  fastify.route<{ Body: Record<string, unknown> | undefined }>({
    method: 'POST',
    url: GRAPHQL_PATH,
    bodyLimit: Math.min(GRAPHQL_LIMITS.maxBytes, config.MAX_BODY_BYTES),
    onRequest: async (request) => cost.check(networkOf(request.ip)),
    handler: async (request, reply) => {
      const body = parseGraphqlRequest(requireBody(request.body));
      const resolvers = createResolvers(attempts, request.ip);
      // Parsing and validation are synchronous; the rest waits for the database and is limited by attempts.
      const result = await cost.measure(networkOf(request.ip), () => runQuery(body, resolvers, config));
      if (!result.errors) return result;
      const answer = buildErrorAnswer(result.errors, reply, (error) => errors.toPortageError(error, request));
      void reply.status(answer.status);
      return { data: result.data ?? null, errors: answer.errors };
    },
    errorHandler: (error, request, reply) => {
      // Any other error is a fault and goes to the error handler of all routes.
      if (!(error instanceof PortageError || toFastifyRefusal(error))) throw error;
      const answer = buildErrorAnswer([error], reply, (one) => errors.toPortageError(one, request));
      void reply
        .status(answer.status)
        .type('application/json; charset=utf-8')
        .send({ data: null, errors: answer.errors });
    },
  });
}

/** Parses, validates and executes a query. Errors are values; those of resolvers have a path. */
function runQuery(
  { query, variables, operationName }: GraphqlRequest,
  rootValue: ReturnType<typeof createResolvers>,
  { GRAPHQL_INTROSPECTION: allowIntrospection }: Pick<Config, 'GRAPHQL_INTROSPECTION'>,
): ExecutionResult | Promise<ExecutionResult> {
  const { maxTokens, maxAliases, maxDepth, maxErrors } = GRAPHQL_LIMITS;
  const schema = platformTokenSchema;
  // Where introspection is off, errors must not suggest field names either.
  const hideSuggestions = !allowIntrospection;
  try {
    const document = parse(query, { maxLexicalTokens: maxTokens });
    const rules = [...specifiedRules, ...buildQueryRules({ maxAliases, maxDepth, allowIntrospection })];
    const errors = validate(schema, document, rules, { maxErrors, hideSuggestions });
    if (errors.length > 0) return { errors };
    return execute({
      schema,
      document,
      rootValue,
      variableValues: variables,
      operationName,
      hideSuggestions,
    });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
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

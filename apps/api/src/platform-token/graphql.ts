import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { CONFIG, type Config } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { buildErrorAnswer } from './graphql-errors';
import { GRAPHQL_PATH } from './graphql-route';
import { GRAPHQL_LIMITS } from './graphql-limits';
import { buildQueryRules } from './query-rules';

/**
 * The module of the GraphQL schema and its execution. Its only purpose is to issue access tokens (contract, "Access").
 */
export function createPlatformTokenGraphqlModule() {
  return GraphQLModule.forRootAsync<MercuriusDriverConfig>({
    driver: MercuriusDriver,
    inject: [CONFIG],
    useFactory: (config: Config) => ({
      autoSchemaFile: true,
      // The route is registered in graphql-route.ts. Nest uses the path for its log only.
      routes: false,
      path: GRAPHQL_PATH,
      graphiql: false,
      // Queries can contain API keys, which must not stay in memory.
      cache: false,
      queryDepth: GRAPHQL_LIMITS.maxDepth,
      validationRules: buildQueryRules({
        maxAliases: GRAPHQL_LIMITS.maxAliases,
        allowIntrospection: config.GRAPHQL_INTROSPECTION,
      }),
      graphql: { validateOptions: buildValidateOptions(config) },
      errorFormatter: ({ data, errors }, context) => {
        const { reply } = context as unknown as { reply: FastifyReply };
        const { status, body } = buildErrorAnswer(errors, reply);
        return { statusCode: status, response: { data: data ?? null, errors: body.errors } };
      },
    }),
  });
}

/**
 * Options that Mercurius passes on although its types lack them. Where introspection is off, errors must not suggest
 * field names either.
 */
function buildValidateOptions(config: Config) {
  return { maxErrors: GRAPHQL_LIMITS.maxErrors, hideSuggestions: !config.GRAPHQL_INTROSPECTION };
}

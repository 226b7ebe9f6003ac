import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { CONFIG, type Config } from '@portage/config';
import type { FastifyReply } from 'fastify';
import { answerWithErrors } from './graphql-errors';
import { GRAPHQL_PATH } from './graphql-route';
import { queryRules } from './query-rules';

const MOST_ERRORS = 20;

/** The GraphQL schema and how it is carried out. It issues tokens and does nothing else. */
export function platformTokenGraphql() {
  return GraphQLModule.forRootAsync<MercuriusDriverConfig>({
    driver: MercuriusDriver,
    inject: [CONFIG],
    useFactory: (config: Config) => ({
      autoSchemaFile: true,
      // Requests come by the one route of graphql-route.ts; Nest only names it in the log.
      routes: false,
      path: GRAPHQL_PATH,
      graphiql: false,
      // Queries may have keys in them, and nobody sends the same one often.
      cache: false,
      queryDepth: config.GRAPHQL_MAX_DEPTH,
      validationRules: queryRules(config),
      graphql: { validateOptions: validateOptions(config) },
      errorFormatter: ({ data, errors }, context) => {
        const { reply } = context as unknown as { reply: FastifyReply };
        const { status, body } = answerWithErrors(errors, reply);
        return { statusCode: status, response: { data: data ?? null, errors: body.errors } };
      },
    }),
  });
}

/** Mercurius hands on what its types do not know: a schema that is not to be read is not to be guessed either. */
function validateOptions(config: Config) {
  return { maxErrors: MOST_ERRORS, hideSuggestions: !config.GRAPHQL_INTROSPECTION };
}

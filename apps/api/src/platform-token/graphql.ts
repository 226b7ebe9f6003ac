import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { type ErrorCode, PortageError } from '@portage/domain';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import mercurius from 'mercurius';

/** The GraphQL endpoint. It issues tokens and does nothing else. */
export function platformTokenGraphql() {
  return GraphQLModule.forRoot<MercuriusDriverConfig>({
    driver: MercuriusDriver,
    path: '/v1/graphql/',
    autoSchemaFile: true,
    graphiql: false,
    allowBatchedQueries: false,
    errorFormatter: (execution, context) => {
      // The default formatter knows which status and which messages a query that is not valid gets.
      const { statusCode, response } = mercurius.defaultErrorFormatter(execution, context);
      return { statusCode, response: { ...response, errors: response.errors?.map(withCode) ?? [] } };
    },
  });
}

/** Every error says what it is in `extensions.code` and `extensions.detail`; nothing internal leaves. */
function withCode(error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError {
  const original = error instanceof GraphQLError ? error.originalError : undefined;
  const { message, locations, path } = error instanceof GraphQLError ? error.toJSON() : error;
  const answered = (code: ErrorCode, detail: string): GraphQLFormattedError => ({
    message: detail,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code, detail },
  });
  if (original instanceof PortageError) return answered(original.code, original.detail);
  // Without an original error it is the query itself that GraphQL does not accept.
  if (!original || original.name === 'GraphQLError') return answered('validation_error', message);
  return answered('error', 'Something went wrong on our side.');
}

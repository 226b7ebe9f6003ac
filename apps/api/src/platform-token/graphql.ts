import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { type ErrorCode, PortageError } from '@portage/domain';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { fastifyRefusal, STATUS_OF } from '../http/error-filter';

/** The GraphQL endpoint. It issues tokens and does nothing else. */
export function platformTokenGraphql() {
  return GraphQLModule.forRoot<MercuriusDriverConfig>({
    driver: MercuriusDriver,
    path: '/v1/graphql/',
    autoSchemaFile: true,
    graphiql: false,
    allowBatchedQueries: false,
    errorFormatter: ({ data, errors }) => {
      const answered = errors.flatMap(separate).map(described);
      // What has a path failed while it was carried out; everything else was no request that could be.
      const refused = answered.find(({ path }) => path === undefined);
      return {
        statusCode: refused ? STATUS_OF[refused.extensions.code] : 200,
        response: { data: data ?? null, errors: answered },
      };
    },
  });
}

interface AnsweredError extends GraphQLFormattedError {
  extensions: { code: ErrorCode; detail: string };
}

/** A query that is not valid comes as one error that holds all that is wrong with it. */
function separate(error: GraphQLError): readonly GraphQLError[] {
  const { originalError } = error;
  return originalError && 'errors' in originalError && Array.isArray(originalError.errors)
    ? (originalError.errors as GraphQLError[])
    : [error];
}

/** Every error says what it is in `extensions.code` and `extensions.detail`; nothing internal leaves. */
function described(error: GraphQLError): AnsweredError {
  const { code, detail } = understood(error);
  const { locations, path } = error;
  return {
    message: detail,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code, detail },
  };
}

/** What a resolver throws is a PortageError by now: ErrorFilter has seen it. The rest is about the request. */
function understood({ originalError, message, path }: GraphQLError): PortageError {
  if (originalError instanceof PortageError) return originalError;
  if (path) return new PortageError('error', 'Something went wrong on our side.');
  const isAboutTheQuery = !originalError || originalError.name === 'GraphQLError' || isRefusal(originalError);
  const detail = isAboutTheQuery ? message : 'Send a JSON object: the query as a text, and its variables.';
  return fastifyRefusal(originalError) ?? new PortageError('validation_error', detail);
}

/** What mercurius says of a request that it does not carry out is written for clients. */
function isRefusal(error: Error): boolean {
  return 'statusCode' in error && error.statusCode === 400;
}

import { PortageError } from '@portage/platform';
import type { ObtainedToken, TokenAttempts } from '@portage/tenants';
import { buildSchema } from 'graphql';

/** The GraphQL schema. Its only purpose is to issue access tokens (contract, "Access"). */
export const platformTokenSchema = buildSchema(`
type Query {
  "The name of the service. GraphQL requires at least one query."
  service: String!
}

type Mutation {
  "Exchanges an API key or a refresh token for an access token."
  obtainPlatformToken(input: ObtainPlatformTokenInput!): ObtainPlatformToken!
}

"Exactly one of the two fields."
input ObtainPlatformTokenInput {
  "An API key of your organisation."
  APIKey: String

  "The refresh token of an earlier response. It works once."
  refreshToken: String
}

"A token for the Authorization header, and how to get the next one."
type ObtainPlatformToken {
  "Send it as \`Authorization: Token <token>\`."
  token: String!

  "Obtains the next token. It works once."
  refreshToken: String!

  "Expiry of the refresh token, in Unix seconds."
  refreshExpiresIn: Float!

  "The token's claims. \`exp\` is its expiry, in Unix seconds."
  payload: JSON!
}

"A JSON value."
scalar JSON
`);

interface ObtainPlatformTokenInput {
  APIKey?: string | null;
  refreshToken?: string | null;
}

/** The resolvers of {@link platformTokenSchema}, for a client with this address. */
export function createResolvers(attempts: Pick<TokenAttempts, 'obtain'>, address: string) {
  return {
    service: () => 'portage',
    async obtainPlatformToken({ input }: { input: ObtainPlatformTokenInput }): Promise<ObtainedToken> {
      const { APIKey, refreshToken } = input;
      if (APIKey && !refreshToken) return attempts.obtain(address, { APIKey });
      if (refreshToken && !APIKey) return attempts.obtain(address, { refreshToken });
      throw new PortageError('validation_error', 'Give either APIKey or refreshToken.');
    },
  };
}

import { boolean, integer, optional, secret } from '../validators';

export const accessSettings = {
  TOKEN_SECRET: secret(32)({
    ...optional,
    desc: 'Secret that signs access tokens, at least 32 characters, the same on every API instance. Required by the API in production. Default: generated under PORTAGE_DIR.',
  }),
  TOKEN_SECRET_PREVIOUS: secret(32)({
    ...optional,
    desc: 'Second secret whose tokens are accepted but not issued. To rotate the secret without refusing a token: restart all instances with the new secret here, then with the two values exchanged, and after TOKEN_LIFETIME_SECONDS without the old secret.',
  }),
  TOKEN_LIFETIME_SECONDS: integer({
    min: 30,
    max: 86_400,
    default: 3_600,
    desc: 'Lifetime of an access token in seconds.',
  }),
  REFRESH_TOKEN_LIFETIME_SECONDS: integer({
    min: 60,
    max: 7_776_000,
    default: 604_800,
    desc: 'Lifetime of a refresh token in seconds. A refresh token can be used once.',
  }),
  TOKEN_ATTEMPTS_PER_MINUTE: integer({
    min: 0,
    max: 1_000_000,
    default: 600,
    desc: 'Maximum number of attempts per minute to obtain a token from one IP address (IPv6: one /64 network), successful or not. Further attempts get 429. 0 disables the limit.',
  }),
  TOKEN_FAILURES_PER_ADDRESS: integer({
    min: 0,
    max: 1_000_000,
    default: 20,
    desc: 'Maximum number of failed attempts of one IP address in 5 minutes to obtain a token, and apart from these to sign in as an operator. Further attempts get 429. 0 disables the limit.',
  }),
  TOKEN_FAILURE_WINDOW_SECONDS: integer({
    min: 1,
    max: 86_400,
    default: 300,
    desc: 'Window in seconds in which failed attempts are counted.',
  }),
  GRAPHQL_INTROSPECTION: boolean({
    ...optional,
    desc: 'Enables introspection of the GraphQL schema at /v1/graphql/. Default: enabled outside production.',
  }),
};

import type { OpenAPIObject } from '@nestjs/swagger';
import { OWN_ERRORS } from '../http/endpoint';

const MUTATION =
  'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn payload } }';

/** The body of a request that was refused: an error of GraphQL, or of the hooks before. */
const REFUSED = {
  content: {
    'application/json': {
      schema: { anyOf: ['ObtainedToken', 'Error'].map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    },
  },
};

/** OpenAPI paths of the GraphQL endpoint, which has no controller that Nest could read (contract, "Access"). */
export const platformTokenPaths = {
  '/v1/graphql': {
    post: {
      operationId: 'obtainPlatformToken',
      summary: 'Obtain a token',
      description:
        'GraphQL. The mutation `obtainPlatformToken` takes an API key or a refresh token. An error during its execution has the status 200; its code is in `errors[].extensions.code`.',
      tags: ['Tokens'],
      // An error of the mutation itself, such as `authentication_failed`, has the status 200 in GraphQL.
      [OWN_ERRORS]: ['validation_error', 'throttled'],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['query'],
              properties: { query: { type: 'string' }, variables: { type: 'object' } },
            },
            examples: {
              APIKey: {
                summary: 'With an API key',
                value: { query: MUTATION, variables: { input: { APIKey: 'portage_...' } } },
              },
              refreshToken: {
                summary: 'With the refresh token of an earlier response, which works once',
                value: { query: MUTATION, variables: { input: { refreshToken: 'portage_refresh_...' } } },
              },
            },
          },
        },
      },
      responses: {
        '200': {
          description: 'The token, or the reason why there is none.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ObtainedToken' },
              examples: {
                obtained: {
                  value: {
                    data: {
                      obtainPlatformToken: {
                        token: 'eyJ...',
                        refreshToken: 'portage_refresh_...',
                        refreshExpiresIn: 1796205600,
                        payload: { sub: '1', iat: 1795600800, exp: 1795604400 },
                      },
                    },
                  },
                },
                refused: {
                  value: {
                    data: null,
                    errors: [
                      {
                        message: 'The API key is not valid.',
                        path: ['obtainPlatformToken'],
                        extensions: { code: 'authentication_failed', detail: 'The API key is not valid.' },
                      },
                    ],
                  },
                },
              },
            },
          },
        },
        ...Object.fromEntries([400, 413, 415, 429, 500, 503].map((status) => [status, REFUSED])),
      },
    },
  },
} as unknown as OpenAPIObject['paths'];

/** OpenAPI schemas of the GraphQL endpoint. */
export const platformTokenSchemas = {
  ObtainedToken: {
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: ['object', 'null'],
        // A query can have aliases and other fields.
        additionalProperties: true,
        properties: {
          obtainPlatformToken: {
            type: 'object',
            properties: {
              token: { type: 'string', description: 'For the header `Authorization: Token <token>`.' },
              refreshToken: { type: 'string', description: 'Obtains the next token. It works once.' },
              refreshExpiresIn: {
                type: 'integer',
                description: 'Expiry of the refresh token, in Unix seconds.',
              },
              payload: { type: 'object', additionalProperties: true, description: "The token's claims." },
            },
          },
        },
      },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['message', 'extensions'],
          properties: {
            message: { type: 'string' },
            locations: {
              type: 'array',
              items: {
                type: 'object',
                required: ['line', 'column'],
                properties: { line: { type: 'integer' }, column: { type: 'integer' } },
              },
            },
            path: { type: 'array', items: { type: 'string' } },
            extensions: {
              type: 'object',
              required: ['code', 'detail'],
              properties: { code: { type: 'string' }, detail: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};

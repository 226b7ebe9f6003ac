/** A header object of OpenAPI. */
type Header = Readonly<{ description: string; required?: true; schema: object }>;

const TEXT = { type: 'string' };

const REQUEST_ID: Header = {
  description: 'Identifies the request in the log: the one that the client sent, or a new one.',
  schema: { ...TEXT, examples: ['6f1c9a52-7a0e-4b0e-9a55-0f1d8a3b7c21'] },
};

const IGNORED_PARAMETERS: Header = {
  description:
    'Names of query parameters that the operation does not have, percent-encoded and comma-separated.',
  schema: { ...TEXT, examples: ['limt'] },
};

const RETRY_AFTER: Header = {
  description: 'Seconds after which the request can be sent again.',
  required: true,
  schema: { ...TEXT, pattern: '^\\d+$', examples: ['2'] },
};

const WWW_AUTHENTICATE: Header = {
  description: 'The scheme of the header `Authorization`.',
  required: true,
  schema: { ...TEXT, examples: ['Token'] },
};

/** The headers that a response has by its status, besides those of its operation. */
export function responseHeaders(status: number, isGuarded: boolean): Record<string, Header> {
  return {
    'X-Request-Id': REQUEST_ID,
    ...(isGuarded ? { 'Ignored-Parameters': IGNORED_PARAMETERS } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
  };
}

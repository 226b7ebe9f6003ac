import { type Answer, Installation, METRICS_TOKEN, newDatabase } from '@portage/testing';
import { getIntrospectionQuery } from 'graphql';

const GRAPHQL = '/v1/graphql/';

const portage = Installation.use(async () => {
  const ownerUrl = await newDatabase();
  return {
    backend: 'postgres',
    // As the role that owns the tables.
    database: { ownerUrl, url: ownerUrl },
    env: {
      NODE_ENV: 'production',
      TOKEN_SECRET: 'a secret of more than 32 characters',
      METRICS_TOKEN: '',
    },
  };
});

const send = async (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  portage.post(GRAPHQL, body, { authorization: undefined, ...headers });

const attempt = (alias = '') =>
  `${alias}obtainPlatformToken(input: { APIKey: "${portage.apiKey}" }) { token refreshToken }`;

function codesOf({ body }: Answer): string[] {
  return (body.errors as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code);
}

const countRefreshTokens = async () => portage.countRows('refresh_token');

describe('the service in production', () => {
  it('the metrics are disabled without METRICS_TOKEN', async () => {
    for (const url of [portage.baseUrl, portage.workerUrl])
      for (const authorization of [undefined, 'Bearer', 'Bearer undefined', `Bearer ${METRICS_TOKEN}`]) {
        const answer = await fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} });
        expect(answer.status).toBe(404);
        expect(await answer.json()).toEqual({ code: 'not_found', detail: expect.any(String) });
      }
  });

  it.each(['api', 'worker'] as const)('the %s reports that its role can change the audit', (part) => {
    expect(portage.log(part)).toContain('The role of DATABASE_URL owns its tables, so this program could');
  });

  it('Bull Board has no password of its own, and refuses every login before an operator was created', async () => {
    for (const authorization of [undefined, 'Basic b3BlcmF0b3I6', 'Basic b3BlcmF0b3I6dW5kZWZpbmVk']) {
      const { status, body } = await portage.send('GET', '/queues/', { headers: { authorization } });
      expect([status, body.code]).toEqual([401, 'operator_session_required']);
    }
    const login = await portage.post('/operator/v1/session', { name: 'admin', password: 'admin' });
    expect([login.status, login.body.code]).toEqual([401, 'operator_login_failed']);
  });

  it('the documented mutation works', async () => {
    const { status, body } = await send({ query: `mutation { ${attempt()} }` });
    expect([status, body]).toEqual([
      200,
      { data: { obtainPlatformToken: { token: expect.any(String), refreshToken: expect.any(String) } } },
    ]);
  });

  it.each([
    ['requested by the introspection query of tools', getIntrospectionQuery()],
    ['requested for one type', '{ __type(name: "ObtainPlatformTokenInput") { inputFields { name } } }'],
    ['requested beside a harmless field', '{ service __schema { types { name } } }'],
  ])('the schema is not revealed when it is %s', async (_what, query) => {
    const answer = await send({ query });
    expect([answer.status, answer.body.data]).toEqual([400, null]);
    expect(answer.text).not.toMatch(/refreshExpiresIn|inputFields":/);
  });

  it('error messages do not suggest names of the schema', async () => {
    const answer = await send({ query: 'mutation { obtainPlatformTokn(input: {}) { tokn } }' });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/Did you mean|obtainPlatformToken"/);
  });
});

describe('a GraphQL request', () => {
  it('fifty attempts in one request are refused before the first one', async () => {
    const before = await countRefreshTokens();
    const aliased = Array.from({ length: 50 }, (_, n) => attempt(`a${n}: `)).join(' ');
    const answer = await send({ query: `mutation { ${aliased} }` });
    expect([answer.status, answer.body.data, new Set(codesOf(answer))]).toEqual([
      400,
      null,
      new Set(['validation_error']),
    ]);
    expect(await countRefreshTokens()).toBe(before);
  });

  it('a few attempts in one request are all performed', async () => {
    const before = await countRefreshTokens();
    const answer = await send({ query: `mutation { ${attempt('a: ')} ${attempt('b: ')} }` });
    expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['a', 'b']]);
    expect(await countRefreshTokens()).toBe(before + 2);
  });

  it.each<[string, () => unknown, number, string]>([
    ['a list of queries', () => [{ query: '{ service }' }, { query: '{ service }' }], 400, 'parse_error'],
    ['more tokens than allowed', () => ({ query: `{ ${'service '.repeat(499)} }` }), 400, 'validation_error'],
    [
      'a longer query than allowed',
      () => ({ query: `{ service } #${'x'.repeat(4_000)}` }),
      400,
      'validation_error',
    ],
    [
      'a longer body than allowed',
      () => ({ query: `{ service } #${'x'.repeat(16_384)}` }),
      413,
      'payload_too_large',
    ],
    [
      'a query that is too deep',
      () => ({ query: `{ ${'... on Query { '.repeat(30)} service ${'}'.repeat(30)} }` }),
      400,
      'validation_error',
    ],
    [
      'a syntax tree instead of a query',
      () => ({ query: JSON.stringify({ kind: 'Document', definitions: [] }) }),
      400,
      'validation_error',
    ],
    [
      'a recursive fragment',
      () => ({ query: '{ ...F } fragment F on Query { ...F }' }),
      400,
      'validation_error',
    ],
    ['variables that are a list', () => ({ query: '{ service }', variables: [1] }), 400, 'validation_error'],
    [
      'an unknown operation',
      () => ({ query: '{ service }', operationName: 'Other', variables: {} }),
      400,
      'validation_error',
    ],
    ['an empty body', () => undefined, 400, 'parse_error'],
  ])('a request that is %s is refused without internals', async (_what, body, status, code) => {
    const answer = await send(body());
    expect([answer.status, answer.body.data, new Set(codesOf(answer))]).toEqual([
      status,
      null,
      new Set([code]),
    ]);
    expect(answer.text).not.toMatch(/node_modules|\.js:|stack|MER_|FST_|TypeError/);
  });

  it.each(['text/plain', 'application/graphql', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'a query of type %s is refused, so that a form on another site cannot send it',
    async (type) => {
      const answer = await send('query={service}', { 'content-type': type });
      expect([answer.status, codesOf(answer)]).toEqual([415, ['unsupported_media_type']]);
    },
  );

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('is refused with the method %s', async (method) => {
    const answer = await portage.send(method, `${GRAPHQL}?query={service}`, {
      headers: { authorization: undefined },
    });
    expect([answer.status, answer.headers['allow'], answer.body.code]).toEqual([
      405,
      'POST',
      'method_not_allowed',
    ]);
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { type Answer, INTENDED_FAILURE, LIMITS, newClientAddress, SharedPortage } from '@portage/testing';
import { decodeJwt, UnsecuredJWT } from 'jose';

const MUTATION = `mutation ($input: ObtainPlatformTokenInput!) {
  obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn payload }
}`;
const LIFETIME = LIMITS.TOKEN_LIFETIME_SECONDS;

interface Tokens {
  token: string;
  refreshToken: string;
  refreshExpiresIn: number;
  payload: Record<string, unknown>;
}

const portage = SharedPortage.use('limited');

/** Each request comes from a client of its own. security-token-attempts.e2e-spec.ts tests the throttling. */
const graphql = async (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  portage.post('/v1/graphql/', body, {
    authorization: undefined,
    'x-forwarded-for': newClientAddress(),
    ...headers,
  });
const obtain = async (input: object, headers: Record<string, string> = {}): Promise<Answer> =>
  graphql({ query: MUTATION, variables: { input } }, headers);

async function obtained(input: object): Promise<Tokens> {
  const { body, text } = await obtain(input);
  if (!body.data?.obtainPlatformToken) throw new Error(text);
  return body.data.obtainPlatformToken as Tokens;
}

const listPath = () => `/v1/data-import/all-account-import-processes/${portage.supplier}/`;
/** Spellings of paths, methods, and unknown paths below the prefixes of the data-import routes. */
const VARIANTS: [method: string, path: string][] = [
  ['GET', '/v1/data-import/all-account-import-processes/LEGACY'],
  ['GET', '//v1//data-import/all-account-import-processes/LEGACY/'],
  ['GET', '/v1/data%2Dimport/all-account-import-processes/LEGACY/'],
  ['GET', '/%761/data-import/all-account-import-processes/LEGACY/'],
  ['HEAD', '/v1/data-import/all-account-import-processes/LEGACY/'],
  ['GET', '/v1/data-import/all-account-import-processes/LEGACY/?limit=1'],
  ['PUT', '/v2/data-import/accounts/'],
  ['GET', '/v1/data-import/nothing-here/'],
  ['GET', '/v2/data-import'],
];

function expectRefusal({ status, headers, body, text }: Answer, code: string): void {
  expect([status, headers['www-authenticate']]).toEqual([401, 'Token']);
  if (text !== '') expect(body).toEqual({ code, detail: expect.any(String) });
}

describe('obtaining a token', () => {
  it('exchanges an API key for a token, a refresh token and the claims', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const tokens = await obtained({ APIKey: portage.apiKey });
    expect(tokens).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.any(String),
      refreshExpiresIn: expect.any(Number),
      payload: decodeJwt(tokens.token),
    });
    const { exp, iat } = tokens.payload as { exp: number; iat: number };
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(exp - iat).toBe(LIFETIME);
    expect(Math.abs(tokens.refreshExpiresIn - iat - 7 * 86_400)).toBeLessThanOrEqual(1);
    const { status } = await portage.get(listPath(), { authorization: `Token ${tokens.token}` });
    expect(status).toBe(200);
  });

  it.each([
    ['no credential', {}],
    ['both credentials', { APIKey: 'a', refreshToken: 'b' }],
    ['empty texts', { APIKey: '', refreshToken: '' }],
    ['null', { APIKey: null, refreshToken: null }],
  ])('a request with %s is a validation_error', async (_what, input) => {
    const { status, body } = await obtain(input);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors).toEqual([
      expect.objectContaining({ extensions: { code: 'validation_error', detail: expect.any(String) } }),
    ]);
  });

  it('answers malformed, unknown and revoked keys with the same error', async () => {
    const revoked = (await portage.operator('api-key', 'issue', '--organisation', portage.organisation))
      .api_key as string;
    await portage.operator('api-key', 'revoke', revoked.split('_')[1]!);
    const last = portage.apiKey.endsWith('a') ? 'b' : 'a';
    const keys = ['nonsense', 'a\u0000b', `${portage.apiKey.slice(0, -1)}${last}`, revoked, portage.token];
    const answers = await Promise.all(keys.map(async (APIKey) => obtain({ APIKey })));
    const errors = answers.map(({ body }) => body.errors);
    expect(errors[0]).toEqual([
      expect.objectContaining({
        extensions: { code: 'authentication_failed', detail: 'The API key is not valid.' },
      }),
    ]);
    for (const other of errors.slice(1)) expect(other).toEqual(errors[0]);
  });

  it('allows introspection of the schema outside production', async () => {
    const query = '{ __type(name: "ObtainPlatformTokenInput") { inputFields { name } } }';
    const { body } = await graphql({ query, variables: {} });
    expect(body.data.__type.inputFields).toEqual([{ name: 'APIKey' }, { name: 'refreshToken' }]);
  });
});

it('a refresh token is refused if it has expired or was never issued', async () => {
  const { refreshToken } = await obtained({ APIKey: portage.apiKey });
  const hash = createHash('sha256').update(refreshToken).digest();
  expect(
    await portage.sql(
      `UPDATE refresh_token SET expires_at = now() - interval '1 second' WHERE hash = $1 RETURNING 1`,
      [hash],
    ),
  ).toHaveLength(1);
  for (const text of [refreshToken, 'portage_refresh_unknown', 'a\u0000b', portage.apiKey]) {
    const { body } = await obtain({ refreshToken: text });
    expect(body.errors[0].extensions.code).toBe('authentication_failed');
  }
});

describe('every data-import route', () => {
  it.each(VARIANTS)('%s %s requires a token', async (method, path) => {
    expectRefusal(
      await portage.send(method, path, { headers: { authorization: undefined } }),
      'not_authenticated',
    );
  });

  it('refuses an unauthenticated request before it reads the body', async () => {
    const sent = { headers: { authorization: undefined } };
    for (const body of ['{"broken":', '[1]', 'x'.repeat(20_000)])
      expectRefusal(
        await portage.send('POST', '/v2/data-import/accounts/', { ...sent, body }),
        'not_authenticated',
      );
    const answer = await portage.send('POST', '/v2/data-import/accounts/', {
      body: 'plain',
      headers: { authorization: undefined, 'content-type': 'text/plain' },
    });
    expectRefusal(answer, 'not_authenticated');
  });
});

describe('a token', () => {
  const use = async (authorization: string) => portage.get(listPath(), { authorization });

  it('is accepted with its scheme in any letter case', async () => {
    const { token } = await obtained({ APIKey: portage.apiKey });
    for (const scheme of ['Token', 'token', 'TOKEN '])
      expect((await use(`${scheme} ${token}`)).status).toBe(200);
  });

  it.each([
    ['of another scheme', (token: string) => `Bearer ${token}`],
    ['without a scheme', (token: string) => token],
    ['that is missing', () => 'Token'],
    ['with trailing text', (token: string) => `Token ${token} x`],
    ['that is an API key', () => `Token ${portage.apiKey}`],
    ['that is not signed', (token: string) => `Token ${new UnsecuredJWT(decodeJwt(token)).encode()}`],
    ['that is very long', () => `Token ${'x'.repeat(5_000)}`],
  ])('%s is refused', async (_what, header) => {
    const { token } = await obtained({ APIKey: portage.apiKey });
    expectRefusal(await use(header(token)), 'authentication_failed');
  });
});

it('the log and the database contain neither keys nor tokens', async () => {
  const { token, refreshToken } = await obtained({ APIKey: portage.apiKey });
  await portage.get(listPath(), { authorization: `Token ${token}` });
  const log = portage.log('api') + portage.log('worker');
  const stored = JSON.stringify([
    await portage.sql("SELECT *, encode(hash, 'escape') AS text FROM api_key"),
    await portage.sql("SELECT *, encode(hash, 'escape') AS text FROM refresh_token"),
  ]);
  for (const secret of [portage.apiKey, token, refreshToken]) {
    expect(log).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
});

it('an internal error shows only a request id', async () => {
  // Tokens of this key fail like a table that does not exist.
  await portage.sql(`CREATE FUNCTION fail_as_missing_table() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'relation "refresh_token" does not exist' USING ERRCODE = '42P01'; END $$;
    CREATE TRIGGER fail_as_missing_table BEFORE INSERT ON refresh_token FOR EACH ROW
      WHEN (NEW.api_key_id = ${await idOfKey(portage.apiKey)}) EXECUTE FUNCTION fail_as_missing_table()`);
  const requestId = `${INTENDED_FAILURE}-${randomUUID()}`;
  const answer = await obtain({ APIKey: portage.apiKey }, { 'x-request-id': requestId });
  await portage.sql('DROP TRIGGER fail_as_missing_table ON refresh_token');
  expect(answer.body).toEqual({
    data: null,
    errors: [
      expect.objectContaining({ extensions: { code: 'error', detail: expect.stringContaining(requestId) } }),
    ],
  });
  expect(answer.text).not.toMatch(/refresh_token|relation|42P01/);
  expect(portage.log('api')).toMatch(new RegExp(`"requestId":"${requestId}".*42P01.*A request failed`));
});

async function idOfKey(apiKey: string): Promise<number> {
  const [row] = await portage.sql<{ id: number }>('SELECT id FROM api_key WHERE prefix = $1', [
    apiKey.split('_')[1],
  ]);
  return row!.id;
}

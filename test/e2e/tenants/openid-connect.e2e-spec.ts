import { randomBytes } from 'node:crypto';
import { type Answer, newClientAddress, SharedPortage, storeOperator } from '@portage/testing';
import { OpenIdProvider } from '@portage/testing/openid-provider';

const START = '/operator/v1/session/openid-connect';
const ANONYMOUS = { authorization: undefined };

const portage = SharedPortage.use('limited');
let provider: OpenIdProvider;

beforeAll(async () => {
  provider = await OpenIdProvider.start(portage.env['OPERATOR_OIDC_ISSUER']!);
});
afterAll(async () => {
  await provider.stop();
});

const newSubject = () => `sub-${randomBytes(6).toString('hex')}`;

/** The value of a cookie that an answer sets. */
function cookieOf(answer: Answer, name: string): string | undefined {
  const cookies = (answer.headers['set-cookie'] ?? []) as string[];
  const found = cookies.find((cookie) => cookie.startsWith(`portage_${name}=`));
  return found?.split(';')[0];
}

async function start(next = '/console/'): Promise<{ cookie: string; url: URL; answer: Answer }> {
  const answer = await portage.get(`${START}?next=${encodeURIComponent(next)}`, ANONYMOUS);
  expect(answer.status).toBe(302);
  const url = new URL(answer.headers['location'] as string);
  return { cookie: cookieOf(answer, 'sign_in')!, url, answer };
}

/** The address to which the provider sends the browser back. */
async function visit(url: URL): Promise<URL> {
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location')!);
}

const finish = async (back: URL, cookie: string): Promise<Answer> =>
  portage.get(`${back.pathname}${back.search}`, {
    ...ANONYMOUS,
    cookie,
    'x-forwarded-for': newClientAddress(),
  });

async function signIn(claims: Record<string, unknown>, next?: string): Promise<Answer> {
  await provider.claim(claims);
  const { cookie, url } = await start(next);
  return finish(await visit(url), cookie);
}

const session = async (answer: Answer): Promise<Answer> =>
  portage.get('/operator/v1/session', { ...ANONYMOUS, cookie: cookieOf(answer, 'session') });

describe('a sign-in with OpenID Connect', () => {
  it('is offered to the login page', async () => {
    const { body } = await portage.get('/operator/v1/sign-in-methods', ANONYMOUS);
    expect(body).toEqual({
      password: true,
      openid_connect: { name: expect.stringMatching(/^127\.0\.0\.1:\d+$/), start_url: START },
    });
  });

  it('starts with PKCE, state and nonce, in a cookie that comes back from the provider', async () => {
    const { url, answer } = await start();
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toMatchObject({
      response_type: 'code',
      client_id: 'portage',
      code_challenge_method: 'S256',
      redirect_uri: `${portage.baseUrl}${START}/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(parameters[name]).toMatch(/^[\w-]{43}$/);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^portage_sign_in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
  });

  it('creates the operator with the highest role of the claim, and goes on to the page', async () => {
    const [sub, name] = [newSubject(), `grace-${Date.now()}`];
    const groups = ['staff', 'portage-viewer', 'portage-operator'];
    const answer = await signIn(
      { sub, preferred_username: name, groups },
      '/queues/queue/emails?status=failed',
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('content="0; url=/queues/queue/emails?status=failed"');
    expect((await session(answer)).body.operator).toMatchObject({ name, role: 'operator' });
    const again = await signIn({ sub, preferred_username: 'another name', groups: 'portage-viewer' });
    expect((await session(again)).body.operator).toMatchObject({ name, role: 'viewer' });
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['without a role', () => ({ sub: newSubject(), preferred_username: 'norole', groups: ['staff'] })],
    [
      'with a role of a similar name',
      () => ({ sub: newSubject(), preferred_username: 'x', groups: 'admin' }),
    ],
    ['without a valid name', () => ({ sub: newSubject(), groups: 'portage-admin' })],
  ])('%s opens no session', async (_what, claims) => {
    const answer = await signIn(claims());
    expect(cookieOf(answer, 'session')).toBeUndefined();
    expect(answer.text).toContain('url=/console/login?error=openid-connect');
  });

  it('does not take over an operator of the same name', async () => {
    const name = await storeOperator(portage, 'admin');
    const answer = await signIn({ sub: newSubject(), preferred_username: name, groups: 'portage-admin' });
    expect(cookieOf(answer, 'session')).toBeUndefined();
  });

  it('a disabled operator gets no session', async () => {
    const [sub, name] = [newSubject(), `left-${Date.now()}`];
    const claims = { sub, preferred_username: name, groups: 'portage-viewer' };
    const first = await signIn(claims);
    await portage.operator('operator', 'set', name, '--disable');
    expect((await session(first)).status).toBe(401);
    expect(cookieOf(await signIn(claims), 'session')).toBeUndefined();
  });

  it('ends only in the browser that has started it, and once', async () => {
    const claims = { sub: newSubject(), preferred_username: `once-${Date.now()}`, groups: 'portage-viewer' };
    await provider.claim(claims);
    const [mine, other] = [await start(), await start()];
    const back = await visit(mine.url);
    expect(cookieOf(await finish(back, other.cookie), 'session')).toBeUndefined();
    expect(cookieOf(await finish(back, ''), 'session')).toBeUndefined();
    const forged = new URL(back);
    forged.searchParams.set('state', 'another');
    expect(cookieOf(await finish(forged, mine.cookie), 'session')).toBeUndefined();
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/console/..//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/%09/evil.example',
    '/console/.\n.//evil.example',
    '/console/../\\evil.example',
    '/.//evil.example',
    '/console\u0000.evil.example',
    '/docs"><x>',
  ])('does not go on to %j', async (next) => {
    const claims = { sub: newSubject(), preferred_username: `n-${Date.now()}`, groups: 'portage-viewer' };
    const { text } = await signIn(claims, next);
    expect(text).toContain('content="0; url=/console/"');
  });
});

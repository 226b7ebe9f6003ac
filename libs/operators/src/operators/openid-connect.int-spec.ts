import { Logger } from '@portage/platform';
import { useApplication } from '@portage/testing/application';
import { byteByByte, hangUp, json, type Responder, TestServer } from '@portage/testing/test-server';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { FailedLogins } from './failed-logins';
import { OpenIdConnect, type PendingSignIn } from './openid-connect';
import { OperatorRepository } from './operator.repository';
import { OperatorSessions } from './operator-sessions';

const CLIENT = { id: 'portage', secret: 'the secret of portage' };
const TIMEOUT_SECONDS = 1;

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

const test = useApplication();
let sequence = 0;

/** A provider that does what a test tells it. */
class Provider {
  server: TestServer;
  key: KeyPair;
  otherKey: KeyPair;
  /** Replace the ordinary answers. */
  metadata: Record<string, unknown> = {};
  answers: Record<string, Responder> = {};
  claims: JWTPayload = {};
  sign = async (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(this.key.privateKey);
  nonce = '';
  sub = '';

  async start(): Promise<void> {
    [this.key, this.otherKey] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
    this.server = await TestServer.start((request, response) => {
      const { pathname } = new URL(request.path, this.origin);
      const given = this.answers[pathname];
      if (given) given(request, response);
      else
        void this.answer(pathname).then((body) => {
          json(200, body)(request, response);
        });
    });
  }

  get origin(): string {
    return this.server.url;
  }

  reset(): void {
    Object.assign(this, { metadata: {}, answers: {}, claims: {}, sub: `sub-${(sequence += 1)}` });
    this.sign = async (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(this.key.privateKey);
  }

  private async answer(pathname: string): Promise<object> {
    const { origin } = this;
    if (pathname === '/keys')
      return { keys: [{ ...(await exportJWK(this.key.publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }] };
    if (pathname === '/token') {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: origin,
        aud: CLIENT.id,
        sub: this.sub,
        nonce: this.nonce,
        iat: now,
        exp: now + 60,
      };
      const about = { preferred_username: `oidc-${this.sub}`, groups: 'portage-viewer' };
      const idToken = await this.sign({ ...claims, ...about, ...this.claims });
      return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken };
    }
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.metadata,
    };
  }
}

const provider = new Provider();
/** Something inside of the network that no provider may make this service reach. */
let internal: TestServer;

beforeAll(async () => {
  await provider.start();
  internal = await TestServer.start(json(200, {}));
});
afterAll(async () => {
  await provider.server.stop();
  await internal.stop();
});
beforeEach(() => {
  provider.reset();
  internal.requests.length = 0;
});

/** An instance of the API that knows nothing of the provider yet. */
const newInstance = () =>
  new OpenIdConnect(
    test.app.get(OperatorRepository),
    test.app.get(OperatorSessions),
    test.app.get(FailedLogins),
    test.app.get(Logger),
    {
      OPERATOR_OIDC_ISSUER: provider.origin,
      OPERATOR_OIDC_CLIENT_ID: CLIENT.id,
      OPERATOR_OIDC_CLIENT_SECRET: CLIENT.secret,
      OPERATOR_OIDC_ROLE_CLAIM: 'groups',
    },
    TIMEOUT_SECONDS,
  );

/** Signs in from start to end. The state that the browser brings back can be another one. */
async function signIn(change: { nonce?: string; state?: string; pending?: Partial<PendingSignIn> } = {}) {
  const instance = newInstance();
  const { url, pending } = await instance.start('https://portage.example', '/console/');
  provider.nonce = change.nonce ?? url.searchParams.get('nonce')!;
  const back = new URL('https://portage.example/operator/v1/session/openid-connect/callback?code=one');
  back.searchParams.set('state', change.state ?? url.searchParams.get('state')!);
  return instance.finish({
    url: back,
    pending: { ...pending, ...change.pending },
    address: '192.0.2.1',
    previousToken: undefined,
  });
}

const sessions = async () => test.countRows('operator_session');

it('An honest provider signs an operator in', async () => {
  expect(await signIn()).toMatch(/^[\w-]{43}$/);
});

describe('no session is opened by an ID token', () => {
  it.each<[string, () => void]>([
    ['of another issuer', () => (provider.claims = { iss: 'https://other.example' })],
    ['for another audience', () => (provider.claims = { aud: 'another client' })],
    [
      'for several audiences that was issued to another one',
      () => (provider.claims = { aud: [CLIENT.id, 'other'], azp: 'other' }),
    ],
    ['without a nonce', () => (provider.claims = { nonce: undefined })],
    ['that has expired', () => (provider.claims = { exp: 1_000 })],
    ['that is not valid yet', () => (provider.claims = { nbf: Math.floor(Date.now() / 1_000) + 3_600 })],
    ['without a subject', () => (provider.claims = { sub: undefined })],
    [
      'without a signature (alg none)',
      () => (provider.sign = async (claims) => Promise.resolve(new UnsecuredJWT(claims).encode())),
    ],
    [
      'without a signature, which the metadata allow',
      () => {
        provider.metadata = { id_token_signing_alg_values_supported: ['none'] };
        provider.sign = async (claims) => Promise.resolve(new UnsecuredJWT(claims).encode());
      },
    ],
    [
      'signed with the secret of the client (HS256)',
      () =>
        (provider.sign = async (claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.secret))),
    ],
    [
      'signed with a key of another kid',
      () =>
        (provider.sign = async (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'RS256', kid: 'other' })
            .sign(provider.otherKey.privateKey)),
    ],
    [
      'signed with another key of the same kid',
      () =>
        (provider.sign = async (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'RS256', kid: 'key' })
            .sign(provider.otherKey.privateKey)),
    ],
    [
      'that was changed after it was signed',
      () => {
        const { sign } = provider;
        provider.sign = async (claims) => {
          const [header, , signature] = (await sign(claims)).split('.');
          const forged = Buffer.from(JSON.stringify({ ...claims, groups: 'portage-admin' })).toString(
            'base64url',
          );
          return `${header}.${forged}.${signature}`;
        };
      },
    ],
  ])('an ID token %s opens no session', async (_what, act) => {
    const before = await sessions();
    act();
    expect(await signIn()).toBeUndefined();
    expect(await sessions()).toBe(before);
  });

  it('an ID token of an earlier sign-in, or for a browser that began another one, opens no session', async () => {
    const before = await sessions();
    expect(await signIn({ nonce: 'the nonce of an earlier sign-in' })).toBeUndefined();
    expect(await signIn({ state: 'another state' })).toBeUndefined();
    expect(await signIn({ pending: { nonce: 'another nonce' } })).toBeUndefined();
    expect(await sessions()).toBe(before);
  });
});

const redirect: Responder = (...exchange) => {
  json(302, undefined, { location: `${internal.url}/` })(...exchange);
};
const noJson: Responder = (_request, response) =>
  response.setHeader('content-type', 'application/json').end('{');

describe.each(['/.well-known/openid-configuration', '/token', '/keys'])('an answer of %s', (path) => {
  /** Without metadata a sign-in does not even start. */
  const fails = async (): Promise<void> => {
    if (path.startsWith('/.well-known'))
      await expect(signIn()).rejects.toMatchObject({ code: 'unavailable' });
    else expect(await signIn()).toBeUndefined();
  };

  it.each([
    ['redirects inside', redirect],
    ['never ends', byteByByte({})],
    ['is no JSON', noJson],
    ['is cut', hangUp],
    ['has no body', json(204)],
  ])('an answer that %s opens no session, soon, and reaches nothing inside', async (_what, send) => {
    const before = await sessions();
    provider.answers[path] = send;
    const start = performance.now();
    await fails();
    expect(performance.now() - start).toBeLessThan(5_000);
    expect([await sessions(), internal.requests]).toEqual([before, []]);
    // The provider is asked again: nothing of the fault is remembered.
    provider.reset();
    expect(await signIn()).toMatch(/^[\w-]{43}$/);
  });
});

describe('metadata', () => {
  it('metadata of another issuer start no sign-in', async () => {
    provider.metadata = { issuer: 'https://other.example' };
    await expect(signIn()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

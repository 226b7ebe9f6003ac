import type { Config } from '@portage/config';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { AccessTokens } from './access-tokens';

const SECRET = 's'.repeat(32);
const START = new Date('2026-11-21T08:40:00.750Z');

class ManualClock {
  time = START.getTime();
  now = () => new Date(this.time);
}

function tokens(clock = new ManualClock(), secret = SECRET): AccessTokens {
  return new AccessTokens({ TOKEN_SECRET: secret, TOKEN_LIFETIME_SECONDS: 3_600 } as Config, clock);
}

describe('an access token', () => {
  it('says who it is for, from which key it comes and until when', async () => {
    const { token, claims } = await tokens().sign(7, 42);
    const iat = Math.floor(START.getTime() / 1_000);
    expect(claims).toEqual({
      iss: 'portage',
      aud: 'portage-api',
      sub: '7',
      key: 42,
      iat,
      exp: iat + 3_600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(decodeJwt(token)).toEqual(claims);
    expect(await tokens().read(token)).toEqual(claims);
  });

  it('is valid to its last second and not a second longer', async () => {
    const clock = new ManualClock();
    const { token } = await tokens(clock).sign(7, 42);
    clock.time = START.getTime() - 750 + 3_599_999;
    expect(await tokens(clock).read(token)).toMatchObject({ sub: '7' });
    clock.time += 1;
    await expect(tokens(clock).read(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('is read by every instance that has the same secret', async () => {
    const { token } = await tokens().sign(7, 42);
    await expect(tokens(new ManualClock(), 'o'.repeat(32)).read(token)).rejects.toMatchObject({
      code: 'authentication_failed',
    });
  });

  it('does not tell the secret by its key id', async () => {
    const { token } = await tokens().sign(7, 42);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'HS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  const claims = { key: 42, jti: 'j', iat: START.getTime() / 1_000, exp: START.getTime() / 1_000 + 60 };
  const sign = (payload: object, alg = 'HS256', secret = SECRET) =>
    new SignJWT({ iss: 'portage', aud: 'portage-api', sub: '7', ...claims, ...payload })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(secret));

  it('that is made by hand with the secret is read: the next cases fail for their reason only', async () => {
    expect(await tokens().read(await sign({}))).toMatchObject({ sub: '7', key: 42 });
  });

  it.each([
    [
      'without a signature',
      async () => new UnsecuredJWT({ iss: 'portage', aud: 'portage-api', sub: '7', ...claims }).encode(),
    ],
    ['signed with another algorithm', async () => sign({}, 'HS512', 's'.repeat(64))],
    ['for somebody else', async () => sign({ aud: 'other-api' })],
    ['from somebody else', async () => sign({ iss: 'other' })],
    ['without a key', async () => sign({ key: undefined })],
    ['without an end', async () => sign({ exp: undefined })],
    ['that is no token', async () => 'nonsense'],
    ['that is empty', async () => ''],
  ])('%s is refused', async (_what, token) => {
    await expect(tokens().read(await token())).rejects.toMatchObject({ code: 'authentication_failed' });
  });

  it('is refused with any part of it changed', async () => {
    const { token } = await tokens().sign(7, 42);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: '8' })).toString('base64url');
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    for (const wrong of [
      `${header}.${other}.${signature}`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}.`,
    ])
      await expect(tokens().read(wrong)).rejects.toMatchObject({ code: 'authentication_failed' });
  });
});

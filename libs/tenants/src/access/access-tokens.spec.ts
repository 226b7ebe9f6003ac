import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import type { Config } from '@portage/platform';
import { ManualClock } from '@portage/testing/manual-clock';
import { decodeJwt, decodeProtectedHeader, exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { AccessTokens } from './access-tokens';

const SECRET = 's'.repeat(32);
const OTHER_SECRET = 'o'.repeat(32);
const START = new Date('2026-11-21T08:40:00.750Z');

function tokens(clock = new ManualClock(START), secret = SECRET): AccessTokens {
  return new AccessTokens({ TOKEN_SECRET: secret, TOKEN_LIFETIME_SECONDS: 3_600 } as Config, clock);
}

describe('an access token', () => {
  it('names its organisation, its API key and its expiry', async () => {
    const { token, claims } = await tokens().sign(7, 42, 'a-family');
    const iat = Math.floor(START.getTime() / 1_000);
    expect(claims).toEqual({
      iss: 'portage',
      aud: 'portage-api',
      sub: '7',
      key: 42,
      iat,
      exp: iat + 3_600,
      family: 'a-family',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(decodeJwt(token)).toEqual(claims);
    expect(await tokens().read(token)).toEqual(claims);
  });

  it('is valid until its last second', async () => {
    const clock = new ManualClock(START);
    const { token } = await tokens(clock).sign(7, 42, 'a-family');
    clock.moveTo(START.getTime() - 750 + 3_599_999);
    expect(await tokens(clock).read(token)).toMatchObject({ sub: '7' });
    clock.advance(1);
    await expect(tokens(clock).read(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('expires although it is cached, and does not make a forged token valid', async () => {
    const clock = new ManualClock(START);
    const instance = tokens(clock);
    const { token, claims } = await instance.sign(7, 42, 'a-family');
    const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    for (let times = 0; times < 2; times += 1) {
      expect(await instance.read(token)).toEqual(claims);
      await expect(instance.read(forged)).rejects.toMatchObject({ code: 'authentication_failed' });
    }
    clock.moveTo(claims.exp * 1_000);
    await expect(instance.read(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('is not valid for an instance with another secret', async () => {
    const { token } = await tokens().sign(7, 42, 'a-family');
    await expect(tokens(new ManualClock(START), OTHER_SECRET).read(token)).rejects.toMatchObject({
      code: 'authentication_failed',
    });
  });

  it('does not reveal the secret by its key id', async () => {
    const { token } = await tokens().sign(7, 42, 'a-family');
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'HS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  it('is valid if the previous secret signed it; new tokens are signed with the current secret', async () => {
    const old = await tokens(new ManualClock(START), OTHER_SECRET).sign(7, 42, 'a-family');
    const rotated = new AccessTokens(
      { TOKEN_SECRET: SECRET, TOKEN_SECRET_PREVIOUS: OTHER_SECRET, TOKEN_LIFETIME_SECONDS: 60 } as Config,
      new ManualClock(START),
    );
    expect(await rotated.read(old.token)).toEqual(old.claims);
    const next = await rotated.sign(7, 42, 'a-family');
    expect(await tokens().read(next.token)).toEqual(next.claims);
  });

  it('cannot be signed without a secret', async () => {
    await expect(
      new AccessTokens({} as Config, new ManualClock(START)).sign(7, 42, 'a-family'),
    ).rejects.toThrow(/Only the API/);
  });

  const now = START.getTime() / 1_000;
  const keyId = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 12);
  const ours = { alg: 'HS256', typ: 'JWT', kid: keyId(SECRET) };
  const claims = {
    iss: 'portage',
    aud: 'portage-api',
    sub: '7',
    key: 42,
    family: 'a-family',
    jti: 'j',
    iat: now,
    exp: now + 60,
  };
  const sign = async (payload: object, header: object = {}, secret = SECRET) =>
    new SignJWT({ ...claims, ...payload })
      .setProtectedHeader({ ...ours, ...header })
      .sign(new TextEncoder().encode(secret));
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** A token with a correct HS256 signature, whichever algorithm its header names. */
  const signedBytes = (header: object, payload: object = claims) => {
    const bytes = `${encoded(header)}.${encoded(payload)}`;
    return `${bytes}.${createHmac('sha256', SECRET).update(bytes).digest('base64url')}`;
  };
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

  it('can be built by hand with the secret, so that the following cases fail for one reason only', async () => {
    expect(await tokens().read(await sign({}))).toMatchObject({ sub: '7', key: 42 });
    expect(await tokens().read(signedBytes(ours))).toMatchObject({ sub: '7', key: 42 });
  });

  it.each<[string, () => Promise<string>]>([
    ['without a signature', async () => new UnsecuredJWT(claims).encode()],
    ['with the algorithm none', async () => signedBytes({ ...ours, alg: 'none' })],
    ['with the algorithm none in mixed case', async () => signedBytes({ ...ours, alg: 'nOnE' })],
    ['without an algorithm', async () => signedBytes({ ...ours, alg: undefined })],
    ['signed with another secret', async () => sign({}, {}, OTHER_SECRET)],
    [
      'signed with another secret and its key id',
      async () => sign({}, { kid: keyId(OTHER_SECRET) }, OTHER_SECRET),
    ],
    ['with an unknown key id', async () => sign({}, { kid: 'deadbeef0000' })],
    ['without a key id', async () => sign({}, { kid: undefined })],
    ['signed with HS512', async () => sign({}, { alg: 'HS512' }, SECRET.repeat(2))],
    ['that names HS512', async () => signedBytes({ ...ours, alg: 'HS512' })],
    [
      'signed with RS256',
      async () => new SignJWT(claims).setProtectedHeader({ ...ours, alg: 'RS256' }).sign(privateKey),
    ],
    ['that names RS256', async () => signedBytes({ ...ours, alg: 'RS256' })],
    [
      'that carries its own verification key',
      async () =>
        new SignJWT(claims)
          .setProtectedHeader({ ...ours, alg: 'RS256', jwk: await exportJWK(publicKey) })
          .sign(privateKey),
    ],
    ['with a critical header', async () => signedBytes({ ...ours, crit: ['exp'] })],
    ['of another type', async () => sign({}, { typ: 'at+jwt' })],
    ['for another audience', async () => sign({ aud: 'other-api' })],
    ['without an audience', async () => sign({ aud: undefined })],
    ['of another issuer', async () => sign({ iss: 'other' })],
    ['that is not valid yet', async () => sign({ nbf: now + 120 })],
    ['issued in the future', async () => sign({ iat: now + 120, exp: now + 180 })],
    ['without a key', async () => sign({ key: undefined })],
    ['without an organisation', async () => sign({ sub: undefined })],
    ['without an issue time', async () => sign({ iat: undefined })],
    ['without an expiry', async () => sign({ exp: undefined })],
    ['whose expiry is a string', async () => signedBytes(ours, { ...claims, exp: String(now + 60) })],
    ['that is truncated', async () => (await sign({})).slice(0, -5)],
    ['without its last part', async () => (await sign({})).split('.').slice(0, 2).join('.')],
    ['with a part too many', async () => `${await sign({})}.${encoded({})}`],
    [
      'with the header of another',
      async () => `${encoded({ ...ours, x: 1 })}${(await sign({})).slice(encoded(ours).length)}`,
    ],
    ['that is no token', async () => 'nonsense'],
    ['that is empty', async () => ''],
  ])('%s is refused', async (_what, token) => {
    await expect(tokens().read(await token())).rejects.toMatchObject({ code: 'authentication_failed' });
  });

  it('is reported as expired only if its signature is valid', async () => {
    const past = { iat: now - 120, exp: now - 60 };
    await expect(tokens().read(await sign(past))).rejects.toMatchObject({ code: 'token_expired' });
    await expect(tokens().read(await sign(past, {}, OTHER_SECRET))).rejects.toMatchObject({
      code: 'authentication_failed',
    });
  });

  it('is accepted from an instance whose clock is slightly ahead', async () => {
    expect(await tokens().read(await sign({ iat: now + 30 }))).toMatchObject({ key: 42 });
  });

  it('is refused with any part of it changed', async () => {
    const { token } = await tokens().sign(7, 42, 'a-family');
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

import { Secret } from 'otpauth';
import { newTotpSecret, stepOfCode, totpUri } from './totp';

/** The secret of the test vectors of RFC 6238. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32;

describe('a time-based code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('the code of RFC 6238 at %i s is accepted in its step and in the steps beside it', (seconds, code) => {
    const step = Math.floor(seconds / 30);
    for (const shift of [-30, 0, 30])
      expect(stepOfCode(SECRET, code, new Date((seconds + shift) * 1_000))).toBe(step);
    for (const shift of [-61, 61])
      expect(stepOfCode(SECRET, code, new Date((seconds + shift) * 1_000))).toBeUndefined();
  });

  it.each(['', '28708', '2870820', ' 287082', '287 82', 'abcdef', '28708é'])('%j is none', (code) => {
    expect(stepOfCode(SECRET, code, new Date(59_000))).toBeUndefined();
  });
});

it('an authenticator reads secret and name from a URI', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(secret, 'ada'));
  expect([uri.protocol, uri.host, uri.pathname]).toEqual(['otpauth:', 'totp', '/Portage:ada']);
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret,
    issuer: 'Portage',
    digits: '6',
    period: '30',
  });
});

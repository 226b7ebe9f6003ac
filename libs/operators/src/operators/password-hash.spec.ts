import { scryptSync } from 'node:crypto';
import { findPasswordProblem, isPasswordLength, newOneTimePassword, PasswordHashes } from './password-hash';

const CHEAP = new PasswordHashes({ N: 16, r: 1, p: 1 });

describe('the hash of a password', () => {
  it('is verified by its password only, and has a salt and the parameters of scrypt', async () => {
    const [one, other] = [
      await CHEAP.hash('correct horse battery'),
      await CHEAP.hash('correct horse battery'),
    ];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toContain('correct');
    expect(await CHEAP.verify('correct horse battery', one, 'operators')).toBe(true);
    expect(await CHEAP.verify('correct horse battery ', one, 'operators')).toBe(false);
    expect(await CHEAP.verify('', one, 'operators')).toBe(false);
  });

  it('is verified with its own parameters', async () => {
    const hash = scryptSync('an older one', 'salt', 32, { N: 16, r: 1, p: 1 }).toString('base64url');
    const stored = `scrypt$16$1$1$${Buffer.from('salt').toString('base64url')}$${hash}`;
    expect(await CHEAP.verify('an older one', stored, 'operators')).toBe(true);
    expect(await CHEAP.verify('another one', stored, 'operators')).toBe(false);
    expect(await CHEAP.verify('an older one', stored.slice(0, -4), 'operators')).toBe(false);
  });

  it('is the same for a password that a keyboard composes in another way', async () => {
    const hash = await CHEAP.hash('caf\u00e9 caf\u00e9 caf\u00e9');
    expect(await CHEAP.verify('cafe\u0301 cafe\u0301 cafe\u0301', hash, 'operators')).toBe(true);
  });

  it('takes 32 MiB, and that of an unknown operator takes as long', async () => {
    const hashes = new PasswordHashes();
    const hash = await hashes.hash('correct horse battery');
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$/);
    const timeOf = async (stored: string | null) => {
      const start = process.cpuUsage();
      expect(await hashes.verify('wrong', stored, 'operators')).toBe(false);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const ratio = (await timeOf(null)) / (await timeOf(hash));
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });
});

it('a one-time password is random, and has no characters that look alike', () => {
  const all = Array.from({ length: 100 }, newOneTimePassword);
  expect(new Set(all).size).toBe(100);
  for (const one of all) expect(one).toMatch(/^[a-hjkmnp-z2-9]{5}(-[a-hjkmnp-z2-9]{5}){3}$/);
});

it.each([
  ['short', 'Choose a password of 12 to 256 characters.'],
  ['x'.repeat(257), 'Choose a password of 12 to 256 characters.'],
  ['aaaaaaaaaaaaaaa', 'Choose a password of at least 5 different characters, without your name in it.'],
  ['my name is Ada!', 'Choose a password of at least 5 different characters, without your name in it.'],
  ['correct horse battery', undefined],
  [`${'abcde'.repeat(51)}a`, undefined],
  ['\u65e5\u672c\u8a9e\u306e\u30d1\u30b9\u30ef\u30fc\u30c9\u3067\u3059\u3088', undefined],
])('the password %j is refused with %j', (password, problem) => {
  expect(findPasswordProblem('ada', password)).toBe(problem);
});

it('a password is hashed if it has 1 to 256 characters', () => {
  expect(['', 'x', 'x'.repeat(256), 'x'.repeat(257)].map(isPasswordLength)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

import { randomBytes, randomInt, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { Turns } from '../rate-limits/turns';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MIN_LENGTH = 12;
const MAX_LENGTH = 256;

/** Cost of a new hash: 32 MiB and about a tenth of a second. Each hash is stored with the parameters of its time. */
const PARAMETERS = { N: 32_768, r: 8, p: 3 } as const;

type Parameters = Record<keyof typeof PARAMETERS, number>;

/** One hash at a time in a process: each takes 32 MiB and one of the four threads that file access uses too. */
const turns = new Turns('Too many logins at once.');

/** Verified if there is no hash, so that the response time does not tell whether an operator exists. */
const UNKNOWN_SALT = randomBytes(SALT_BYTES);

/**
 * Hashes a password with a random salt.
 *
 * @throws Throttled if too many hashes are waiting
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, PARAMETERS);
  const { N, r, p } = PARAMETERS;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * True if the password has this hash. Takes as long for an undefined hash.
 *
 * @throws Throttled if too many hashes are waiting
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored?.split('$') ?? [];
  if (typeof stored !== 'string') {
    await derive(password, UNKNOWN_SALT, PARAMETERS);
    return false;
  }
  const parameters = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), parameters);
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === HASH_BYTES && timingSafeEqual(derived, expected);
}

/** A password that an operator can type: 20 letters and digits that do not look alike, more than 96 bits. */
export function newOneTimePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** The sentence that says why a chosen password is refused; undefined if it is not. */
export function findPasswordProblem(name: string, password: string): string | undefined {
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH)
    return `Choose a password of ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;
  if (new Set(password.toLowerCase()).size < 5 || password.toLowerCase().includes(name))
    return 'Choose a password of at least 5 different characters, without your name in it.';
  return undefined;
}

/** True if a password may be hashed at all. The memory of a hash does not depend on it, but its text has to be read. */
export function isPasswordLength(password: string): boolean {
  return password.length > 0 && password.length <= MAX_LENGTH;
}

async function derive(password: string, salt: Buffer, { N, r, p }: Parameters): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return turns.run(
    'all',
    async () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => {
          if (error) reject(error);
          else resolve(hash);
        });
      }),
  );
}

import { randomBytes, randomInt, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { Turns } from '@portage/platform';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MIN_LENGTH = 12;
const MAX_LENGTH = 256;

/** What a hash costs. Each hash is stored with its parameters. */
export interface HashCost {
  N: number;
  r: number;
  p: number;
}

/**
 * The queue in which a password waits for its hash: that of operators who have signed in, or have done so from the same
 * network before, or that of strangers, who cannot fill the other one.
 */
export type HashQueue = 'operators' | 'strangers';

/** 32 MiB and about a tenth of a second. */
const COST: HashCost = { N: 32_768, r: 8, p: 3 };

/** Hashes passwords with scrypt. */
@Injectable()
export class PasswordHashes {
  /** One hash at a time in each queue: each takes 32 MiB and one of the four threads that file access uses too. */
  private readonly turns = new Turns('Too many logins at once.');
  /** Verified if there is no hash, so that the response time does not tell whether an operator exists. */
  private readonly unknownSalt = randomBytes(SALT_BYTES);

  /** @param cost of new hashes; tests pass a low one */
  constructor(@Optional() private readonly cost: HashCost = COST) {}

  /**
   * Hashes a password that an operator chooses or gets, with a random salt.
   *
   * @throws Throttled if too many hashes are waiting
   */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.derive(password, salt, this.cost, 'operators');
    const { N, r, p } = this.cost;
    return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
  }

  /**
   * True if the password has this hash. Takes as long without a hash.
   *
   * @throws Throttled if too many hashes are waiting
   */
  async verify(password: string, stored: string | null | undefined, queue: HashQueue): Promise<boolean> {
    if (typeof stored !== 'string') {
      await this.derive(password, this.unknownSalt, this.cost, queue);
      return false;
    }
    const [, N, r, p, salt = '', hash = ''] = stored.split('$');
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const derived = await this.derive(password, Buffer.from(salt, 'base64url'), cost, queue);
    const expected = Buffer.from(hash, 'base64url');
    return expected.length === HASH_BYTES && timingSafeEqual(derived, expected);
  }

  private async derive(
    password: string,
    salt: Buffer,
    { N, r, p }: HashCost,
    queue: HashQueue,
  ): Promise<Buffer> {
    const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
    const work = async () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => {
          if (error) reject(error);
          else resolve(hash);
        });
      });
    return this.turns.run(queue, work);
  }
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

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that can be compared with a guess and not be read: all that is kept is a digest under a random key. */
export class HashedSecret {
  readonly #key = randomBytes(32);
  readonly #digest: Buffer;

  constructor(text: string) {
    this.#digest = this.#digestOf(text);
  }

  /** Takes as long for every guess: digests have one length. */
  matches(guess: string): boolean {
    return timingSafeEqual(this.#digestOf(guess), this.#digest);
  }

  #digestOf(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

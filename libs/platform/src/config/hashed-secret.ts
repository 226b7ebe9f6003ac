import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that can be compared but not read. It stores only a digest under a random key. */
export class HashedSecret {
  readonly #key = randomBytes(32);
  readonly #digest: Buffer;

  constructor(text: string) {
    this.#digest = this.#digestOf(text);
  }

  /** Compares in constant time. */
  matches(candidate: string): boolean {
    return timingSafeEqual(this.#digestOf(candidate), this.#digest);
  }

  #digestOf(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

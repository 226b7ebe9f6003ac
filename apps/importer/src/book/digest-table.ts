import { createHash } from 'node:crypto';

/** What a table has for a key. */
export interface Kept {
  /** Digest of the content of the first line. */
  content: bigint;
  line: number;
}

/**
 * The first line of each key and the digest of its content, for millions of keys. A slot takes 20 bytes, a tenth of an
 * entry of a Map. Keys and digests are 64 bits of a cryptographic hash, and a key is not 0.
 */
export class DigestTable {
  private keys = new BigUint64Array(1 << 12);
  private contents = new BigUint64Array(1 << 12);
  private lines = new Uint32Array(1 << 12);
  private size = 0;

  /** Adds a line under a key that is new. @returns what the table has for the key otherwise */
  add(key: bigint, content: bigint, line: number): Kept | undefined {
    if (this.size * 2 > this.keys.length) this.grow();
    const slot = this.slotOf(key);
    if (this.keys[slot] === key)
      return { content: this.contents[slot] as bigint, line: this.lines[slot] as number };
    this.set(slot, key, content, line);
    this.size += 1;
    return undefined;
  }

  /** The slot of a key, or the empty one where it belongs. */
  private slotOf(key: bigint): number {
    const last = this.keys.length - 1;
    let slot = Number(key & BigInt(last));
    while (this.keys[slot] !== 0n && this.keys[slot] !== key) slot = (slot + 1) & last;
    return slot;
  }

  private set(slot: number, key: bigint, content: bigint, line: number): void {
    this.keys[slot] = key;
    this.contents[slot] = content;
    this.lines[slot] = line;
  }

  private grow(): void {
    const { keys, contents, lines } = this;
    this.keys = new BigUint64Array(keys.length * 2);
    this.contents = new BigUint64Array(keys.length * 2);
    this.lines = new Uint32Array(keys.length * 2);
    for (const [slot, key] of keys.entries())
      if (key !== 0n) this.set(this.slotOf(key), key, contents[slot] as bigint, lines[slot] as number);
  }
}

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The first 64 bits, and never 0. Contents are compared by the next 64, so that equal keys alone never drop a line. */
export function keyOf(digest: Buffer): bigint {
  return digest.readBigUInt64LE() || 1n;
}

/**
 * Repeatable chance: the same parts give the same numbers on every machine and every version of Node, which
 * `Math.random` does not promise. Each account has its own, so that account 5 is the same in a book of ten as in
 * a book of a million.
 */
export class Random {
  private state: number;

  /** @param parts what these numbers are for, e.g. the book's seed and the account's number */
  constructor(...parts: (string | number)[]) {
    this.state = fnv1a(parts.join('/'));
  }

  /** In [0, 1). This is mulberry32: 32 bits of state, ample for a sample book. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.next() * choices.length)] ?? choices[0];
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.between(0, 9)).join('');
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

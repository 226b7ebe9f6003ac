import { seededRandom } from '@portage/testing/installation';

/** A seeded random generator. The same parts give the same numbers on every machine, unlike `Math.random`. */
export class Random {
  /** A number in [0, 1). */
  readonly next: () => number;

  constructor(...parts: (string | number)[]) {
    this.next = seededRandom(fnv1a(parts.join('/')));
  }

  /** A whole number from `min` to `max`, both inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Picks one of the choices, which may include null and undefined. @throws Error if there are none */
  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('There is nothing to pick from.');
    return choices[this.between(0, choices.length - 1)] as T;
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

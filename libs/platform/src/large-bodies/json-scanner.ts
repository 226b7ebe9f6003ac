import { isExactNumeral } from './exact-numeral';

/** The limit of a JSON text that is exceeded. `precision`: JSON.parse would round a number. */
export type JsonExcess = 'values' | 'nesting' | 'precision';

/** Maximum number of values and keys of a JSON text. A parsed value takes many times its two bytes of text. */
export const MAX_JSON_VALUES = 500_000;

/** The limits of a {@link JsonScanner}. */
export interface JsonLimits {
  /** Values and keys of the text. */
  readonly values: number;
  /** Levels of objects and arrays. */
  readonly nesting: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const OTHER = 0;
/** Begins or ends a string. */
const STRING = 1;
const COMMA = 2;
/** Ends a key. */
const COLON = 3;
const OPEN = 4;
const CLOSE = 5;
/** A character that a number may have at any place. */
const NUMERIC = 6;
/** A character that a number may have after a digit. */
const EXPONENT = 7;

/** The kind of each byte outside of strings. */
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  ['"', STRING],
  [',', COMMA],
  [':', COLON],
  ['[{', OPEN],
  [']}', CLOSE],
  ['0123456789-.', NUMERIC],
  ['eE+', EXPONENT],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/** Characters of a number without exponent that is exact whatever its digits are. */
const MAX_EXACT_LENGTH = 15;

/** Characters of the longest number that is looked at. A longer one could be exact only if nearly all were zeros. */
const MAX_NUMERAL_LENGTH = 100;

/**
 * Counts the values and keys of a JSON text in UTF-8, checks its nesting, and whether JSON.parse reads its numbers exactly,
 * chunk by chunk and without parsing it. It counts commas, colons and opening brackets outside of strings: each value and key but the first has one of its own, and
 * an empty list or object has two. The scanner and JSON.parse agree up to the first syntax error, and JSON.parse stops
 * there.
 */
export class JsonScanner {
  /** Values and keys so far. */
  values = 0;
  /** Keys so far. */
  keys = 0;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** The beginning of a number that may continue in the next chunk. */
  private numeral = '';

  constructor(private readonly limits: JsonLimits) {}

  /** Scans the next chunk. Returns the first limit that the text exceeds; it must not be parsed then. */
  push(chunk: Buffer): JsonExcess | undefined {
    const { length } = chunk;
    const { nesting: maxNesting } = this.limits;
    let { values, keys, depth, isInString } = this;
    // The last byte of the previous chunk may have been the backslash of an escape sequence.
    let index = this.isEscaped ? 1 : 0;
    if (this.numeral !== '') {
      while (index < length && (KINDS[chunk[index] as number] as number) >= NUMERIC) index += 1;
      if (this.isInexact(chunk, 0, index)) return 'precision';
    }
    while (index < length) {
      if (isInString) {
        let byte: number;
        do {
          byte = chunk[index] as number;
          index += byte === BACKSLASH ? 2 : 1;
        } while (byte !== QUOTE && index < length);
        isInString = byte !== QUOTE;
        continue;
      }
      const kind = KINDS[chunk[index] as number];
      index += 1;
      if (kind === OTHER || kind === EXPONENT) continue;
      if (kind === STRING) isInString = true;
      else if (kind === NUMERIC) {
        const start = index - 1;
        let hasExponent = false;
        for (; index < length; index += 1) {
          const next = KINDS[chunk[index] as number] as number;
          if (next < NUMERIC) break;
          hasExponent ||= next === EXPONENT;
        }
        const isCertain = !hasExponent && index - start <= MAX_EXACT_LENGTH && index < length;
        if (!isCertain && this.isInexact(chunk, start, index)) return 'precision';
      } else if (kind === CLOSE) depth -= 1;
      else {
        values += 1;
        if (kind === COLON) keys += 1;
        else if (kind === OPEN) {
          depth += 1;
          if (depth > maxNesting) return 'nesting';
        }
      }
    }
    this.isEscaped = index > length;
    this.values = values;
    this.keys = keys;
    this.depth = depth;
    this.isInString = isInString;
    return values > this.limits.values ? 'values' : undefined;
  }

  /** True if a number is not exact, or too long. At the end of a chunk it is kept, because it may continue. */
  private isInexact(chunk: Buffer, start: number, end: number): boolean {
    const numeral = this.numeral + chunk.toString('latin1', start, end);
    if (numeral.length > MAX_NUMERAL_LENGTH) return true;
    const mayContinue = end === chunk.length;
    this.numeral = mayContinue ? numeral : '';
    return !mayContinue && !isExactNumeral(numeral);
  }
}

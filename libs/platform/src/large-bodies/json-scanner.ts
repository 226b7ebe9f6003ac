/** The limit of a JSON text that is exceeded. */
export type JsonExcess = 'values' | 'nesting';

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
/** A comma or a colon. */
const SEPARATOR = 2;
const OPEN = 3;
const CLOSE = 4;

/** The kind of each byte outside of strings. */
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  ['"', STRING],
  [',:', SEPARATOR],
  ['[{', OPEN],
  [']}', CLOSE],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/**
 * Counts the values and keys of a JSON text in UTF-8 and checks its nesting, chunk by chunk and without parsing it. It
 * counts commas, colons and opening brackets outside of strings: each value and key but the first has one of its own, and
 * an empty list or object has two. The scanner and JSON.parse agree up to the first syntax error, and JSON.parse stops
 * there.
 */
export class JsonScanner {
  /** Values and keys so far. */
  values = 0;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  constructor(private readonly limits: JsonLimits) {}

  /** Scans the next chunk. Returns the first limit that the text exceeds; it must not be parsed then. */
  push(chunk: Uint8Array): JsonExcess | undefined {
    const { length } = chunk;
    if (length === 0) return undefined;
    const { nesting: maxNesting } = this.limits;
    let { values, depth, isInString } = this;
    let index = 0;
    // The last byte of the previous chunk was the backslash of an escape sequence.
    if (this.isEscaped) {
      index = 1;
      this.isEscaped = false;
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
      if (kind === OTHER) continue;
      if (kind === STRING) isInString = true;
      else if (kind === CLOSE) depth -= 1;
      else {
        values += 1;
        if (kind === OPEN) {
          depth += 1;
          if (depth > maxNesting) return 'nesting';
        }
      }
    }
    this.isEscaped = index > length;
    this.values = values;
    this.depth = depth;
    this.isInString = isInString;
    return values > this.limits.values ? 'values' : undefined;
  }
}

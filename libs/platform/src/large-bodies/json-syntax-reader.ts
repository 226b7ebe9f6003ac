const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const FIRST_PRINTABLE = 0x20;

/** Reads JSON text token by token, without recursion. JSON.parse does not tell where in its text a value is. */
export class JsonSyntaxReader {
  position = 0;

  constructor(private readonly text: string) {}

  /** The next character that is not white space, or an empty text at the end. */
  peek(): string {
    for (; ; this.position += 1) {
      const c = this.text[this.position];
      if (c !== ' ' && c !== '\n' && c !== '\r' && c !== '\t') return c ?? '';
    }
  }

  /** Reads a bracket, a comma or a colon. */
  take(punctuation: string): boolean {
    if (this.peek() !== punctuation) return false;
    this.position += 1;
    return true;
  }

  /** Reads a string and returns its JSON text. If it is malformed, returns undefined and stops at the place. */
  takeString(): string | undefined {
    if (this.peek() !== '"') return undefined;
    const start = this.position;
    this.position += 1;
    for (;;) {
      const c = this.text[this.position];
      if (c === undefined || c.charCodeAt(0) < FIRST_PRINTABLE) return undefined;
      if (c === '\\') {
        if (this.match(ESCAPE) === undefined) return undefined;
        continue;
      }
      this.position += 1;
      if (c === '"') return this.text.slice(start, this.position);
    }
  }

  /** Reads a number, `true`, `false` or `null` and returns its text. */
  takeScalar(): string | undefined {
    this.peek();
    return this.match(NUMBER) ?? this.match(LITERAL);
  }

  /** Reads a value. Returns false and stops where the text is not JSON. */
  skipValue(): boolean {
    const closing: string[] = [];
    do {
      if (this.take('{')) {
        if (!this.take('}')) {
          closing.push('}');
          if (!this.takeKey()) return false;
          continue;
        }
      } else if (this.take('[')) {
        if (!this.take(']')) {
          closing.push(']');
          continue;
        }
      } else if ((this.peek() === '"' ? this.takeString() : this.takeScalar()) === undefined) {
        return false;
      }
      while (closing.length > 0 && this.take(closing.at(-1) as string)) closing.pop();
      if (closing.length > 0 && !(this.take(',') && (closing.at(-1) === ']' || this.takeKey()))) return false;
    } while (closing.length > 0);
    return true;
  }

  /** Reads a key and its colon. */
  takeKey(): string | undefined {
    const key = this.takeString();
    return key !== undefined && this.take(':') ? key : undefined;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.position += found.length;
    return found;
  }
}

import { JsonScanner } from './json-scanner';

/** The JSON text that a value was parsed from, and the keys that lead to the value. */
interface Source {
  readonly text: string;
  readonly path: readonly string[];
}

const sources = new WeakMap<object, Source>();

/** Probably a number that JSON.parse cannot represent. A text may look like one, which costs a little memory only. */
const LONG_NUMBER = /[:,[\s]-?\d{16}/;

/**
 * Records the text that a body was parsed from, so that errors show numbers as they were sent: JSON.parse rounds
 * integers beyond 2^53. The text is retained only if it has such a number.
 */
export function recordSource(body: object, text: string): void {
  if (LONG_NUMBER.test(text)) sources.set(body, { text, path: [] });
}

/** Records that a member of a body has the body's source. */
export function inheritSource(body: object, key: string, member: object): void {
  const source = sources.get(body);
  if (source) sources.set(member, { text: source.text, path: [...source.path, key] });
}

/** The number at the dotted path `attr` of a body as it was sent, or undefined. */
export function numberAsSent(body: unknown, attr: string): string | undefined {
  const source = typeof body === 'object' && body !== null ? sources.get(body) : undefined;
  if (!source) return undefined;
  let start: number | undefined = 0;
  for (const segment of [...source.path, ...attr.split('.')]) {
    start = findMember(source.text, start, segment);
    if (start === undefined) return undefined;
  }
  const scanner = scannerAt(source.text, start);
  return scanner.takeScalar();
}

/** The position of a member of the object or list at `start`. Of several members with one name, the last counts. */
function findMember(text: string, start: number, segment: string): number | undefined {
  const scanner = scannerAt(text, start);
  if (scanner.take('[')) return findItem(scanner, Number(segment));
  if (!scanner.take('{')) return undefined;
  let found: number | undefined;
  do {
    const key = scanner.takeKey();
    if (key === undefined) break;
    if (JSON.parse(key) === segment) found = scanner.position;
    if (!scanner.skipValue()) break;
  } while (scanner.take(','));
  return found;
}

function findItem(scanner: JsonScanner, index: number): number | undefined {
  for (let i = 0; i < index; i += 1) if (!scanner.skipValue() || !scanner.take(',')) return undefined;
  return scanner.position;
}

function scannerAt(text: string, position: number): JsonScanner {
  const scanner = new JsonScanner(text);
  scanner.position = position;
  return scanner;
}

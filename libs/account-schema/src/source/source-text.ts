import { type ChangedNumbers, findChangedNumbers } from './changed-numbers';

/** The JSON text that bodies were parsed from. */
interface SourceText {
  readonly text: string;
  /** Found once, at the first error about such a number. */
  changedNumbers?: ChangedNumbers;
}

/** Where a body is in the text that it was parsed from. */
interface Source {
  readonly source: SourceText;
  /** The keys that lead to the body. */
  readonly path: readonly string[];
}

const sources = new WeakMap<object, Source>();

/**
 * Records the text that a body was parsed from, so that errors show numbers as they were sent: JSON.parse rounds
 * integers beyond 2^53. It retains the text, so it should be called only for a text that has such a number.
 */
export function recordSource(body: object, text: string): void {
  sources.set(body, { source: { text }, path: [] });
}

/** Records that a member of a body has the body's source. */
export function inheritSource(body: object, key: string, member: object): void {
  const found = sources.get(body);
  if (found) sources.set(member, { source: found.source, path: [...found.path, key] });
}

/**
 * A number at the dotted path `attr` of a body as it was sent, if JSON.parse has changed it. The text is read once,
 * whatever the number of errors.
 */
export function numberAsSent(body: unknown, attr: string): string | undefined {
  const found = typeof body === 'object' && body !== null ? sources.get(body) : undefined;
  if (!found) return undefined;
  const { source, path } = found;
  source.changedNumbers ??= findChangedNumbers(source.text);
  return source.changedNumbers.get([...path, attr].join('.'));
}

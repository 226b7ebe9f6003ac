import { JsonSyntaxReader, PortageError } from '@portage/platform';

/** What senders write where JSON does not allow it, and what to send instead. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?(?:NaN|Infinity|nan|inf)/, 'NaN and Infinity are not JSON. Leave the field out or send a number.'],
  [/^(?:None|undefined)\b/, 'Send null, or leave the field out.'],
  [/^(?:True|False)\b/, 'Send true or false, in lower case.'],
  [/^'/, 'Texts are in double quotes.'],
  [/^[}\]]/, 'There is probably a comma too many before it.'],
  [/^\/[/*]/, 'JSON has no comments.'],
  [/^\+?\.?\d/, 'Numbers have no leading zeros, no plus sign and a digit before the point.'],
];

/** The error for a text that is not JSON: where it stops being JSON, and if possible how to mend it. */
export function buildSyntaxError(text: string): PortageError {
  const position = findSyntaxError(text);
  if (position === undefined) return new PortageError('parse_error', 'The body is not JSON.');
  const line = lineOf(text, position);
  const column = position > 0 ? position - text.lastIndexOf('\n', position - 1) : 1;
  const where = `at position ${position} (line ${line}, column ${column})`;
  if (position >= text.length)
    return new PortageError('parse_error', `The body is not JSON: it ends too early, ${where}.`);
  const hint = HINTS.find(([pattern]) => pattern.test(text.slice(position, position + 16)))?.[1];
  return new PortageError(
    'parse_error',
    `The body is not JSON: unexpected character ${where}.${hint === undefined ? '' : ` ${hint}`}`,
  );
}

/** The position at which a text stops being JSON; undefined if it is JSON. */
function findSyntaxError(text: string): number | undefined {
  const reader = new JsonSyntaxReader(text);
  return reader.skipValue() && reader.peek() === '' ? undefined : reader.position;
}

/** The line of a position, counted without a list of lines: a text of 10 MB may have as many. */
function lineOf(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', end + 1))
    line += 1;
  return line;
}

/** Characters of a masked value that are shown. */
const MAX_SHOWN = 60;
/** Shorter texts of a payload are not looked for in a detail. */
const MIN_TEXT = 2;

/** Letters as x and digits as 9, so that the form of a text is seen and the text is not. */
export function maskText(text: string): string {
  const shown = Array.from(text).slice(0, MAX_SHOWN).join('');
  const masked = shown.replaceAll(/\p{L}|\p{M}/gu, 'x').replaceAll(/\p{N}/gu, '9');
  return shown.length < text.length ? `${masked}…` : masked;
}

/** The form of a value, for people who may not see the value. */
export function maskValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `${maskText(String(value))} (number)`;
  if (typeof value === 'string') return `${maskText(value)} (text, ${Array.from(value).length} characters)`;
  if (Array.isArray(value)) return `list of ${value.length}`;
  return `object of ${Object.keys(value).length} fields`;
}

/**
 * From the first quotation mark to the last: a value may have marks of its own. To the end of a text that does not end as
 * a sentence, because it was cut, perhaps within a value.
 */
const QUOTED = /["“”](?:(?<quoted>.*)["“”](?=[^"“”]*\.$)|(?<cut>.*)$)/s;
/** What a detail has of its own: paths of fields and of routes, names of fields, and numbers that count something. */
const OWN = [
  /(?<=^|\()[a-z_][a-z0-9_]*(?:\.(?:[a-z_][a-z0-9_]*|\d+))*(?=: )/,
  /\b[a-z_]+\.\d+(?:\.(?:[a-z_][a-z0-9_]*|\d+))*/,
  /\/v\d[\w/-]*/,
  // An example that every account gets.
  /(?<=\bsuch as )[^\s"“”(),;]+/,
  /\b[a-z]+(?:_[a-z0-9]+)+\b/,
  /\b\d+(?: (?:to|or|and) \d+)?(?= (?:more )?(?:accounts|bytes|characters?|days|decimal|digits?|entries|errors?|items|letters|members|minutes|months|places|seconds|times|values|years)\b)/,
];
const WITH_DIGITS = /[^\s"“”(),;]*[\p{N}@][^\s"“”(),;]*/u;
const PARTS = new RegExp(`(${OWN.map(({ source }) => source).join('|')})|(${WITH_DIGITS.source})`, 'gu');

/**
 * The detail of an error without what it says of the account: everything from the first quotation mark to the last,
 * everything that is written with digits, and, where the payload is known, each text of it. Paths, names of fields and
 * limits stay.
 */
export function maskDetail(detail: string, payload?: unknown): string {
  const texts = textsIn(payload, detail);
  const quoted = QUOTED.exec(detail);
  if (!quoted) return maskUnquoted(detail, texts);
  const value = maskText(quoted.groups?.['quoted'] ?? quoted.groups?.['cut'] ?? '');
  const before = maskUnquoted(detail.slice(0, quoted.index), texts);
  const after = maskUnquoted(detail.slice(quoted.index + quoted[0].length), texts);
  return `${before}"${value}"${after}`;
}

/** The form of the value that a detail quotes; null if it quotes none. */
export function maskQuoted(detail: string): string | null {
  const quoted = QUOTED.exec(detail)?.groups;
  return quoted === undefined ? null : maskText(quoted['quoted'] ?? quoted['cut'] ?? '');
}

function maskUnquoted(detail: string, texts: readonly string[]): string {
  let masked = '';
  let end = 0;
  for (const match of detail.matchAll(PARTS)) {
    const [part, own] = match;
    masked += maskTexts(detail.slice(end, match.index), texts);
    masked += own === undefined ? maskText(part) : part;
    end = match.index + part.length;
  }
  return masked + maskTexts(detail.slice(end), texts);
}

/** The texts of a payload that a detail contains, the longest first. */
function textsIn(payload: unknown, detail: string): string[] {
  const found = new Set<string>();
  const pending: unknown[] = [payload];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value) as unknown[]) pending.push(member);
    else if (typeof value === 'string' && value.length >= MIN_TEXT && detail.includes(value))
      found.add(value);
  }
  return [...found].sort((one, other) => other.length - one.length);
}

/** Masks texts where they are whole words. */
function maskTexts(part: string, texts: readonly string[]): string {
  return texts.reduce(
    (masked, text) =>
      masked.replaceAll(
        new RegExp(`(?<![\\p{L}\\p{N}])${escapeForPattern(text)}(?![\\p{L}\\p{N}])`, 'gu'),
        maskText,
      ),
    part,
  );
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const PATH = /(?:^|\()((?:[a-z_][a-z0-9_]*)(?:\.(?:[a-z_][a-z0-9_]*|\d+))*): /;

/** The path of the field that the detail of a process names first; undefined if it names none. */
export function pathOfDetail(detail: string): string | undefined {
  return PATH.exec(detail)?.[1];
}

/** The value at a dotted path, with zero-based list positions. Undefined if there is none. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

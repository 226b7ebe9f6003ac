/** Characters of a masked value that are shown. */
const MAX_SHOWN = 60;

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

/** The value at a dotted path, with zero-based list positions. Undefined if there is none. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

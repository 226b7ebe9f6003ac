import { normalizeIdentifier } from '@portage/text';

/** NUL or an unpaired surrogate: databases and other systems reject them. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The most common invisible characters in a regular expression that tools of every language read, for OpenAPI. */
export const VISIBLE_PATTERN =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\ufeff]*$';

/** True if the text has no NUL and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/**
 * The decimal text of a JSON number. Undefined for numbers that are not finite and for integers so large that
 * JSON.parse may have lost digits.
 */
export function decimalTextOf(value: number): string | undefined {
  if (Number.isSafeInteger(value)) return value === 0 ? '0' : String(value);
  if (!Number.isFinite(value) || Number.isInteger(value)) return undefined;
  const shortest = String(value);
  const exponentAt = shortest.indexOf('e-');
  return exponentAt < 0 ? shortest : withoutExponent(shortest, exponentAt);
}

/** 1.5e-7 written as 0.00000015. */
function withoutExponent(shortest: string, exponentAt: number): string {
  const sign = shortest.startsWith('-') ? '-' : '';
  const digits = shortest.slice(sign.length, exponentAt).replace('.', '');
  const zeros = Number(shortest.slice(exponentAt + 2)) - 1;
  return `${sign}0.${'0'.repeat(zeros)}${digits}`;
}

/** The text of a value. Some systems send codes as JSON numbers, which stand for their decimal text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? decimalTextOf(value) : undefined;
}

/** The one spelling of an identifier: of a text, or of a whole number that JSON.parse cannot have changed. */
export function identifierOf(value: unknown): string | undefined {
  if (typeof value === 'string') return normalizeIdentifier(value);
  return Number.isSafeInteger(value) ? textOf(value) : undefined;
}

/** True for the texts that URLs resolve as parts of a path, so that no resource can have them as its name. */
export function isDotSegment(text: string): boolean {
  return text === '.' || text === '..';
}

/** True if `text` has more than `max` characters; a surrogate pair counts as one. Reads at most 2 * `max` code units. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters > max;
}

/** NUL, or half of a surrogate pair: no database or other system would take it. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/**
 * The decimal text of a JSON number, exact as far as one can tell: undefined for what is not finite and for
 * whole numbers too long for JSON's parser to have kept every digit.
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

/** Suppliers' systems write codes and numbers either way: a JSON number stands for its decimal text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? decimalTextOf(value) : undefined;
}

/** Whether `text` has more than `max` characters, a surrogate pair being one; never looks further than it must. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters > max;
}

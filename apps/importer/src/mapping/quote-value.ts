/** Characters that nothing shows, or that look like the space. */
const UNSEEN = /[\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff\ufffe\uffff]/g;

/** A text with escapes, as JSON and YAML have them, for characters that cannot be told by looking. */
export function escapeUnseen(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text in double quotes, as JSON and YAML read it. */
export function quoteText(text: string): string {
  return escapeUnseen(JSON.stringify(text));
}

/** A value in quotes, cut if it is long. */
export function quoteValue(value: string): string {
  return quoteText(cut(value, 60));
}

/** A value in quotes as an example of others, cut sooner. */
export function quoteSample(value: string): string {
  return quoteText(cut(value, 40));
}

function cut(value: string, maxLength: number): string {
  return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
}

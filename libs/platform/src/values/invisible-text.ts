/**
 * Characters that a reader does not see or that change what the reader sees: C0 and C1 control characters, among them
 * the escape sequences of terminals, marks of writing direction, zero-width and other ignorable characters, line and
 * paragraph separators, and unpaired surrogates.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');
const EACH_INVISIBLE_BUT_LINE_FEED = new RegExp(`(?!\\n)${INVISIBLE.source}`, 'gu');

/** True if the text has a control, bidirectional, zero-width or other invisible character. */
export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text);
}

/**
 * The text with each invisible character but the line feed written as `\uXXXX`, so that a terminal shows it and does not
 * execute it. In JSON text the characters are inside of strings, so that the text still means the same.
 */
export function escapeForTerminal(text: string): string {
  return text.replace(EACH_INVISIBLE_BUT_LINE_FEED, escapeCodeUnits);
}

/** As {@link escapeForTerminal}, for a value that must not end the line it is part of. */
export function escapeForLine(text: string): string {
  return text.replace(EACH_INVISIBLE, escapeCodeUnits);
}

function escapeCodeUnits(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i += 1)
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return escaped;
}

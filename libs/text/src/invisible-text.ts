/**
 * Characters that a reader does not see or that change what the reader sees, as a class for regular expressions with the
 * flag u: C0 and C1 control characters, among them the escape sequences of terminals, marks of writing direction,
 * zero-width and other ignorable characters, line and paragraph separators, the empty Braille pattern, unpaired surrogates
 * and noncharacters. Spaces are none of them.
 */
export const INVISIBLE_CHARACTER = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]`;

/** The invisible characters that names of files and people need: the joiners of some scripts, and the selectors of emoji. */
export const NEEDED_IN_NAMES = String.raw`[\u200c\u200d\ufe0e\ufe0f]`;

const INVISIBLE = new RegExp(INVISIBLE_CHARACTER, 'u');
const EACH_INVISIBLE = new RegExp(INVISIBLE_CHARACTER, 'gu');
const EACH_INVISIBLE_BUT_LINE_FEED = new RegExp(String.raw`(?!\n)${INVISIBLE_CHARACTER}`, 'gu');

/** True if the text has a control, bidirectional, zero-width or other invisible character. */
export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text);
}

/** The text with `replacement` for each invisible character. */
export function replaceInvisible(text: string, replacement: string): string {
  return text.replace(EACH_INVISIBLE, replacement);
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

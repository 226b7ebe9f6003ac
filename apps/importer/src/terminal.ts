/**
 * Characters that a reader does not see or that change what the reader sees: control characters, among them the escape
 * sequences of terminals, marks of writing direction, zero-width characters, and unpaired surrogates. A line feed is
 * not one of them.
 */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with each invisible character written as `\uXXXX`, so that a terminal shows it and does not execute it. */
export function escapeForTerminal(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    let escaped = '';
    for (let i = 0; i < character.length; i += 1)
      escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}

/** Writes to standard output. Answers and books quote text of others, so it is escaped for terminals. */
export function printOutput(text: string): void {
  process.stdout.write(escapeForTerminal(text));
}

/** Writes to standard error, escaped like {@link printOutput}. */
export function printMessage(text: string): void {
  process.stderr.write(escapeForTerminal(text));
}

import { createInterface } from 'node:readline';
import { escapeForTerminal } from '@portage/text';

/** Writes to standard output. Answers and books quote text of others, so it is escaped for terminals. */
export function printOutput(text: string): void {
  process.stdout.write(escapeForTerminal(text));
}

/** Writes to standard error, escaped like {@link printOutput}. */
export function printMessage(text: string): void {
  process.stderr.write(escapeForTerminal(text));
}

/**
 * Asks for confirmation at the terminal. Standard input must be one.
 *
 * @param stop ends the question
 * @returns true if the user has typed yes
 */
export async function confirm(question: string, stop: AbortSignal): Promise<boolean> {
  printMessage(`${question} Type yes to continue: `);
  const terminal = createInterface({ input: process.stdin, signal: stop });
  try {
    for await (const line of terminal) return line.trim() === 'yes';
    return false;
  } finally {
    // Otherwise the program waits for more input.
    terminal.close();
  }
}

import { escapeForTerminal } from '@portage/text';

/** Writes to standard output. Answers and books quote text of others, so it is escaped for terminals. */
export function printOutput(text: string): void {
  process.stdout.write(escapeForTerminal(text));
}

/** Writes to standard error, escaped like {@link printOutput}. */
export function printMessage(text: string): void {
  process.stderr.write(escapeForTerminal(text));
}

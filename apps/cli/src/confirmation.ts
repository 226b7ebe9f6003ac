import { createInterface } from 'node:readline/promises';
import { PortageError } from '@portage/platform';
import { escapeForTerminal } from '@portage/text';

/** The option with which a command asks for no confirmation. */
export const YES = ['--yes', 'do not ask for confirmation'] as const;

/**
 * Asks the operator to confirm a command.
 *
 * @param consequence the sentence that says what the command will do
 * @param what what has to be typed, such as `its id`
 * @throws PortageError `operation_refused` unless the operator types `expected` at a terminal
 */
export async function confirm(consequence: string, what: string, expected: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new PortageError(
      'operation_refused',
      `${consequence} There is no terminal to confirm at. Run the command without confirmation with: --yes`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(escapeForTerminal(`${consequence} Type ${what} to continue: `));
  terminal.close();
  if (typed.trim() !== expected) throw new PortageError('operation_refused', 'Nothing was changed.');
}

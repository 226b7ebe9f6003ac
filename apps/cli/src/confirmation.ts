import { createInterface } from 'node:readline/promises';
import { PortageError } from '@portage/platform';
import { escapeForTerminal } from '@portage/text';

/**
 * Asks the operator to confirm an erasure.
 *
 * @param subject what will be erased: the beginning of a sentence
 * @throws PortageError `operation_refused` unless the operator types the number at a terminal
 */
export async function confirm(subject: string, number: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new PortageError(
      'operation_refused',
      'There is no terminal to confirm at. Erase without confirmation with: --yes',
    );
  await confirmText(`${subject} will be erased permanently.`, 'its number', number, 'Nothing was erased.');
}

/**
 * Asks the operator to confirm a command.
 *
 * @param consequence the sentence that says what the command will do
 * @param what what has to be typed, such as `its id`
 * @param refusal the sentence that says that nothing was done
 * @throws PortageError `operation_refused` unless the operator types `expected` at a terminal
 */
export async function confirmText(
  consequence: string,
  what: string,
  expected: string,
  refusal: string,
): Promise<void> {
  if (!process.stdin.isTTY)
    throw new PortageError(
      'operation_refused',
      `${consequence} There is no terminal to confirm at. Run the command without confirmation with: --yes`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(escapeForTerminal(`${consequence} Type ${what} to continue: `));
  terminal.close();
  if (typed.trim() !== expected) throw new PortageError('operation_refused', refusal);
}

import { createInterface } from 'node:readline/promises';
import { escapeForTerminal, PortageError } from '@portage/platform';

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
  await confirmText(
    `${subject} will be erased permanently. Type its number to continue: `,
    number,
    'Nothing was erased.',
  );
}

/**
 * Asks the operator a question.
 *
 * @param refusal the sentence that says that nothing was done
 * @throws PortageError `operation_refused` unless the operator types `expected` at a terminal
 */
export async function confirmText(question: string, expected: string, refusal: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new PortageError(
      'operation_refused',
      'There is no terminal to confirm at. Run the command without confirmation with: --yes',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(escapeForTerminal(question));
  terminal.close();
  if (typed.trim() !== expected) throw new PortageError('operation_refused', refusal);
}

import { createInterface } from 'node:readline/promises';
import { escapeForTerminal } from '@portage/domain';
import { Refusal } from '@portage/importing';

/**
 * Asks the operator to confirm an erasure.
 *
 * @param subject what will be erased: the beginning of a sentence
 * @throws Refusal unless the operator types the number at a terminal
 */
export async function confirm(subject: string, number: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Refusal('There is no terminal to confirm at. Erase without confirmation with: --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(
    escapeForTerminal(`${subject} will be erased permanently. Type its number to continue: `),
  );
  terminal.close();
  if (typed.trim() !== number) throw new Refusal('Nothing was erased.');
}

import { createInterface } from 'node:readline/promises';
import { escapeForLine, escapeForTerminal } from '@portage/domain';
import { EraseAccount, type ErasedAccount, Refusal } from '@portage/importing';
import { show } from '../command';

interface EraseOptions {
  yes?: true;
  keepDocuments?: true;
  json?: true;
}

/** `account erase`. Asks for confirmation unless `--yes` is given, because the erasure cannot be undone. */
export async function eraseAccount(
  number: string,
  { yes, keepDocuments, json }: EraseOptions,
): Promise<void> {
  if (!yes) await confirm(number);
  await show(json ?? false, async (app) => {
    const erased = await app.get(EraseAccount).erase(number, { keepsDocuments: keepDocuments ?? false });
    return {
      json: {
        platform_account_number: number,
        erased_at: erased.erasedAt,
        was_erased_before: !erased.isNew,
        removed_documents: erased.removedDocuments,
        left_documents: erased.leftDocuments,
      },
      text: formatResult(number, erased),
    };
  });
}

/** @throws Refusal unless the operator types the number of the account at a terminal */
async function confirm(number: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Refusal('There is no terminal to confirm at. Erase without confirmation with: --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(
    escapeForTerminal(
      `The personal data and the documents of ${number} will be erased permanently. Type its number to continue: `,
    ),
  );
  terminal.close();
  if (typed.trim() !== number) throw new Refusal('Nothing was erased.');
}

function formatResult(
  number: string,
  { erasedAt, isNew, removedDocuments, leftDocuments }: ErasedAccount,
): string {
  if (!isNew) return `${number} was erased at ${erasedAt}. There was nothing left to erase.`;
  const lines = [`The personal data of ${number} has been erased.`];
  if (removedDocuments.length > 0) lines.push('Removed documents:', ...removedDocuments.map(indent));
  if (leftDocuments.length > 0) lines.push('Kept documents:', ...leftDocuments.map(indent));
  return lines.join('\n');
}

const indent = (line: string) => `  ${escapeForLine(line)}`;

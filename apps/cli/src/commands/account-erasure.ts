import { createInterface } from 'node:readline/promises';
import { EraseAccount, type ErasedAccount, Refusal } from '@portage/importing';
import { show } from '../command';

interface Erasing {
  yes?: true;
  keepDocuments?: true;
  json?: true;
}

/** `account erase`: asks first, for it cannot be taken back. */
export async function eraseAccount(number: string, { yes, keepDocuments, json }: Erasing): Promise<void> {
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
      text: told(number, erased),
    };
  });
}

/** @throws Refusal unless somebody at a terminal types the number of the account */
async function confirm(number: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Refusal('Nobody is there to be asked. Erase without asking with: --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(
    `Everything personal of ${number} will be erased for good, its documents too. Type its number to go on: `,
  );
  terminal.close();
  if (typed.trim() !== number) throw new Refusal('Nothing was erased.');
}

function told(number: string, { erasedAt, isNew, removedDocuments, leftDocuments }: ErasedAccount): string {
  if (!isNew) return `${number} was erased at ${erasedAt}; there was nothing left to erase.`;
  const lines = [`Everything personal of ${number} has been erased.`];
  if (removedDocuments.length > 0) lines.push('Documents removed:', ...removedDocuments.map(indented));
  if (leftDocuments.length > 0) lines.push('Documents left where they are:', ...leftDocuments.map(indented));
  return lines.join('\n');
}

const indented = (line: string) => `  ${line}`;

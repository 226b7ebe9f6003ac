import { EraseAccount, type ErasedAccount } from '@portage/accounts';
import { escapeForLine } from '@portage/platform';
import { show } from '../command';
import { confirm } from '../confirmation';

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
  if (!yes) await confirm(`The personal data and the documents of ${number}`, number);
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

import { EraseAccount, type ErasedAccount } from '@portage/accounts';
import { escapeForLine } from '@portage/text';
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
  return [
    `The personal data of ${number} has been erased.`,
    ...section('Removed documents:', removedDocuments),
    ...section('Kept documents:', leftDocuments),
  ].join('\n');
}

const section = (title: string, documents: readonly string[]) =>
  documents.length === 0 ? [] : [title, ...documents.map(indent)];

const indent = (line: string) => `  ${escapeForLine(line)}`;

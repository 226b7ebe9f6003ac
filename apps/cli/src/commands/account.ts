import { InspectAccount, toAccountView } from '@portage/accounts';
import { PortageError } from '@portage/platform';
import { EraseAccount } from '@portage/submissions';
import type { Command } from 'commander';
import { command, group } from '../command';
import { confirm, YES } from '../confirmation';

/** `account show` and `account erase`. */
export function accountCommands(): Command {
  return group('account', 'Imported accounts.', [
    command(
      'show <number>',
      'Show the stored data of an account, by its platform account number.',
      async (app, { payload, page }: { payload?: true; page: string }, number: string) => {
        const whole = await app.get(InspectAccount).show(number, parsePage(page));
        if (!payload) return { value: toAccountView(whole) };
        const sent = whole.payload?.payload ?? null;
        return {
          value: sent,
          note: sent === null && `It was erased at ${whole.account.payloadErasedAt}.`,
        };
      },
    )
      .option('--page <number>', 'of its long lists; page 1 has the newest rows', '1')
      .option('--payload', 'show the payload that the supplier sent instead'),
    command(
      'erase <number>',
      'Erase the personal data of an account, by its platform account number.',
      async (app, { yes, keepDocuments }: { yes?: true; keepDocuments?: true }, number: string) => {
        if (!yes)
          await confirm(
            `The personal data and the documents of ${number} will be erased permanently.`,
            'its number',
            number,
          );
        const erased = await app.get(EraseAccount).erase(number, { keepsDocuments: keepDocuments ?? false });
        return {
          value: {
            platform_account_number: number,
            erased_at: erased.erasedAt,
            was_erased_before: !erased.isNew,
            removed_documents: erased.removedDocuments,
            left_documents: erased.leftDocuments,
          },
        };
      },
    )
      .option(...YES)
      .option('--keep-documents', 'keep its documents in the object store, and list them'),
  ]);
}

function parsePage(text: string): number {
  const page = Number(text);
  if (!Number.isInteger(page) || page < 1)
    throw new PortageError('operation_refused', '--page must be a whole number of at least 1.');
  return page;
}

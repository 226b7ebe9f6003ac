import { InspectAccount, toAccountView } from '@portage/accounts';
import { PortageError } from '@portage/platform';
import { Command } from 'commander';
import { command, show } from '../command';
import { eraseAccount } from './account-erasure';
import { formatAccount } from './account-text';

function parsePage(text: string): number {
  const page = Number(text);
  if (!Number.isInteger(page) || page < 1)
    throw new PortageError('operation_refused', '--page must be a whole number of at least 1.');
  return page;
}

interface ShowOptions {
  json?: true;
  payload?: true;
  page: string;
}

/** `account show` and `account erase`. */
export function accountCommands(): Command {
  return new Command('account')
    .description('Imported accounts.')
    .addCommand(
      command('show <number>', 'Show the stored data of an account, by its platform account number.')
        .option('--page <number>', 'of its long lists; page 1 has the newest rows', '1')
        .option('--payload', 'show the payload that the supplier sent instead')
        .action(async (number: string, { json, payload, page }: ShowOptions) =>
          show(json ?? false, async (app) => {
            const whole = await app.get(InspectAccount).show(number, parsePage(page));
            if (payload) {
              const sent = whole.payload?.payload ?? null;
              const erased = `It was erased at ${whole.account.payloadErasedAt}.`;
              return { json: sent, text: sent === null ? erased : JSON.stringify(sent, undefined, 2) };
            }
            const account = toAccountView(whole);
            return { json: account, text: formatAccount(account) };
          }),
        ),
    )
    .addCommand(
      command('erase <number>', 'Erase the personal data of an account, by its platform account number.')
        .option('--yes', 'do not ask for confirmation')
        .option('--keep-documents', 'keep its documents in the object store, and list them')
        .action(eraseAccount),
    );
}

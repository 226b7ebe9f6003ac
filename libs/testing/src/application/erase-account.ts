import { EraseAccount } from '@portage/submissions';
import type { TestApplication } from './test-application';

/** Erases an imported account, but not its documents. Returns its platform account number. */
export async function eraseAccount(
  { app, sql }: Pick<TestApplication, 'app' | 'sql'>,
  externalAccountNumber: string,
): Promise<string> {
  const [account] = await sql<{ number: string }>(
    'SELECT number FROM account WHERE external_account_number = $1',
    [externalAccountNumber],
  );
  await app.get(EraseAccount).erase(account!.number, { keepsDocuments: true });
  return account!.number;
}

import type { AccountName, ImportedAccount } from '@portage/database';

/** Finds imported accounts by their supplier's name for them. */
export abstract class ImportedAccountFinder {
  /**
   * Finds one account.
   *
   * @returns undefined if the account does not exist or has been erased
   */
  abstract find(name: AccountName): Promise<ImportedAccount | undefined>;
}

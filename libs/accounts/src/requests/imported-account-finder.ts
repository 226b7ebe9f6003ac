import { Injectable } from '@nestjs/common';
import { Batcher, READ_LIMITS } from '@portage/platform';
import {
  type AccountName,
  type ImportedAccount,
  ImportedAccountRepository,
} from '../account/imported-account.repository';

/** Finds imported accounts by their supplier's name for them. Concurrent searches are one statement. */
@Injectable()
export class ImportedAccountFinder {
  private readonly searches: Batcher<AccountName, ImportedAccount | undefined>;

  constructor(accounts: ImportedAccountRepository) {
    this.searches = new Batcher<AccountName, ImportedAccount | undefined>(
      async (names) => accounts.find(names),
      READ_LIMITS,
    );
  }

  /** @returns undefined if the account does not exist or has been erased */
  async find(name: AccountName): Promise<ImportedAccount | undefined> {
    return this.searches.add(name);
  }
}

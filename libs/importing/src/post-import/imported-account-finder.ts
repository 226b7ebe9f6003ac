import { Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import { type AccountName, type ImportedAccount, ImportedAccountRepository } from '@portage/database';
import { isItemLevelError } from '../batched/item-level-error';

/** Searches in one statement. */
const MAX_SEARCHES = 256;

/** Statements in flight, if the earlier ones are slow or the next one is full. */
const MAX_CONCURRENT_SEARCHES = 3;
const SLOW_AFTER_MS = 50;

/** Finds imported accounts by their supplier's name for them. Concurrent searches are one statement. */
@Injectable()
export class ImportedAccountFinder {
  private readonly searches: Batcher<AccountName, ImportedAccount | undefined>;

  constructor(accounts: ImportedAccountRepository) {
    this.searches = new Batcher<AccountName, ImportedAccount | undefined>(
      async (names) => accounts.find(names),
      {
        maxSize: MAX_SEARCHES,
        maxConcurrent: MAX_CONCURRENT_SEARCHES,
        slowAfterMs: SLOW_AFTER_MS,
        retryIndividually: isItemLevelError,
      },
    );
  }

  /** @returns undefined if the account does not exist or has been erased */
  async find(name: AccountName): Promise<ImportedAccount | undefined> {
    return this.searches.add(name);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import { type AccountName, type ImportedAccount, ImportedAccountRepository } from '@portage/database';
import { ImportedAccountFinder } from '../post-import/ports/imported-account-finder';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/** Coalesces concurrent searches into one statement. */
@Injectable()
export class BatchedImportedAccountFinder extends ImportedAccountFinder {
  private readonly searches: Batcher<AccountName, ImportedAccount | undefined>;

  constructor(accounts: ImportedAccountRepository, @Inject(BATCH_POLICY) policy: BatchPolicy) {
    super();
    this.searches = new Batcher<AccountName, ImportedAccount | undefined>(
      async (names) => accounts.find(names),
      { ...buildCommonLimits(policy), maxSize: policy.maxLookups },
    );
  }

  override async find(name: AccountName): Promise<ImportedAccount | undefined> {
    return this.searches.add(name);
  }
}

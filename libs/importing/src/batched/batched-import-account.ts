import { Injectable } from '@nestjs/common';
import { CohortScheduler } from '@portage/batching';
import { ImportAccount, type ImportOutcome } from '../account/import-account';
import { batchPolicy } from './batch-policy';

/** Starts concurrent jobs as one cohort, so that their statements share batches. */
@Injectable()
export class BatchedImportAccount extends ImportAccount {
  private readonly cohorts = new CohortScheduler({
    maxSize: batchPolicy.maxWorkerItems,
    slowAfterMs: batchPolicy.slowAfterMs,
  });

  override async run(...job: Parameters<ImportAccount['run']>): Promise<ImportOutcome> {
    return this.cohorts.run(async () => super.run(...job));
  }
}

import { Injectable } from '@nestjs/common';
import { CohortScheduler } from '@portage/batching';
import { ScheduleAccount, type ScheduledAccount } from '../account/schedule-account';
import { batchPolicy } from './batch-policy';

/** Starts concurrent requests as one cohort, so that their statements share batches. */
@Injectable()
export class BatchedScheduleAccount extends ScheduleAccount {
  private readonly cohorts = new CohortScheduler({
    maxSize: batchPolicy.maxInsertRows,
    slowAfterMs: batchPolicy.slowAfterMs,
  });

  override async schedule(...request: Parameters<ScheduleAccount['schedule']>): Promise<ScheduledAccount> {
    return this.cohorts.run(async () => super.schedule(...request));
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  identityOf,
  ImportProcessSchedulingRepository,
  type InsertedImport,
  type ScheduledImport,
} from '@portage/database';
import { ImportProcessStore } from '../account/ports/import-process-store';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/** Coalesces concurrent inserts of import processes into one statement. */
@Injectable()
export class BatchedImportProcessStore extends ImportProcessStore {
  private readonly inserts: Batcher<ScheduledImport, InsertedImport>;

  constructor(processes: ImportProcessSchedulingRepository, @Inject(BATCH_POLICY) policy: BatchPolicy) {
    super();
    this.inserts = new Batcher<ScheduledImport, InsertedImport>(
      async (scheduled) => processes.insert(scheduled),
      {
        ...buildCommonLimits(policy),
        maxSize: policy.maxInsertRows,
        maxWeight: policy.maxInsertLength,
        weightOf: ({ payload }) => payload.length,
        keyOf: identityOf,
      },
    );
  }

  override async insert(scheduled: ScheduledImport): Promise<InsertedImport> {
    return this.inserts.add(scheduled);
  }
}

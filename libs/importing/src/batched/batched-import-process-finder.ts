import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  ImportProcessReadingRepository,
  type ImportProcessView,
  type ProcessName,
  type ProcessNaming,
} from '@portage/database';
import { ImportProcessFinder } from '../import-process/ports/import-process-finder';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/** Coalesces concurrent searches by the same kind of name into one statement. */
@Injectable()
export class BatchedImportProcessFinder extends ImportProcessFinder {
  private readonly searches: Record<ProcessNaming, Batcher<ProcessName, ImportProcessView | undefined>>;

  constructor(processes: ImportProcessReadingRepository, @Inject(BATCH_POLICY) policy: BatchPolicy) {
    super();
    const searchBy = (naming: ProcessNaming) =>
      new Batcher<ProcessName, ImportProcessView | undefined>(
        async (names) => processes.views(naming, names),
        { ...buildCommonLimits(policy), maxSize: policy.maxLookups },
      );
    this.searches = {
      external_identifier: searchBy('external_identifier'),
      external_account_number: searchBy('external_account_number'),
    };
  }

  override async find(naming: ProcessNaming, name: ProcessName): Promise<ImportProcessView | undefined> {
    return this.searches[naming].add(name);
  }
}

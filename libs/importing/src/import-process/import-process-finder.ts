import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  ImportProcessReadingRepository,
  type ImportProcessView,
  type ProcessName,
  type ProcessNaming,
} from '@portage/database';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from '../batched/batch-policy';

/** Finds import processes by one of their two names. Concurrent searches by the same kind of name share one statement. */
@Injectable()
export class ImportProcessFinder {
  private readonly searches: Record<ProcessNaming, Batcher<ProcessName, ImportProcessView | undefined>>;

  constructor(processes: ImportProcessReadingRepository, @Inject(BATCH_POLICY) policy: BatchPolicy) {
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

  /** @returns undefined if there is no process of this name */
  async find(naming: ProcessNaming, name: ProcessName): Promise<ImportProcessView | undefined> {
    return this.searches[naming].add(name);
  }
}

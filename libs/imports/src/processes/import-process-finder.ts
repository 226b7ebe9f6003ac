import { Injectable } from '@nestjs/common';
import { Batcher, READ_LIMITS } from '@portage/platform';
import {
  ImportProcessReadingRepository,
  type ImportProcessView,
  type ProcessName,
  type ProcessNaming,
} from './import-process-reading.repository';

/** Finds import processes by one of their two names. Concurrent searches by the same kind of name share one statement. */
@Injectable()
export class ImportProcessFinder {
  private readonly searches: Record<ProcessNaming, Batcher<ProcessName, ImportProcessView | undefined>>;

  constructor(processes: ImportProcessReadingRepository) {
    const searchBy = (naming: ProcessNaming) =>
      new Batcher<ProcessName, ImportProcessView | undefined>(
        async (names) => processes.views(naming, names),
        READ_LIMITS,
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

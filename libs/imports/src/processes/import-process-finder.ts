import { Injectable } from '@nestjs/common';
import { Batcher, READ_LIMITS } from '@portage/platform';
import { readIdentifier } from '@portage/text';
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

  /**
   * @param submittedName as a client has sent it
   * @returns undefined if the supplier has no process of this name
   */
  async find(
    naming: ProcessNaming,
    supplierId: number,
    submittedName: string,
  ): Promise<ImportProcessView | undefined> {
    const name = readIdentifier(submittedName);
    return name === undefined ? undefined : this.searches[naming].add({ supplierId, name });
  }
}

import { Injectable } from '@nestjs/common';
import { LIST_CHUNK_ROWS } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import {
  ImportProcessReadingRepository,
  type ListedImportProcess,
} from './import-process-reading.repository';

/** Reads the import processes of a supplier that ended with an error, however many there are. */
@Injectable()
export class ListFailedProcesses {
  constructor(
    private readonly processes: ImportProcessReadingRepository,
    private readonly suppliers: ImportSupplierRepository,
  ) {}

  /**
   * The processes in the order of creation, in chunks. Memory holds one chunk, and no transaction stays open while a slow
   * reader takes it.
   *
   * @param signal ends the reading, in the middle of a statement too
   * @param chunkRows rows that are read and yielded together
   * @throws PortageError `operation_refused` if there is no such supplier
   */
  async *list(
    supplierCode: string,
    signal?: AbortSignal,
    chunkRows = LIST_CHUNK_ROWS,
  ): AsyncGenerator<ListedImportProcess[]> {
    const { id: supplierId } = await this.suppliers.requireByCode(supplierCode);
    const failed = { supplierId, statuses: ['ERRORED', 'DRY_RUN_ERRORED'] } as const;
    for (let after = '0'; ;) {
      const chunk = await this.processes.list(failed, after, chunkRows, signal);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < chunkRows) return;
      after = (chunk.at(-1) as ListedImportProcess).processId;
    }
  }
}

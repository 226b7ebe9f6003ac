import { Injectable } from '@nestjs/common';
import { LIST_CHUNK_ROWS, PortageError } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import type { ImportProcessEntity } from './import-process.entity';
import type { ImportProcessEventEntity } from './import-process-event.entity';
import { ImportProcessInspectionRepository } from './import-process-inspection.repository';
import type { ImportProcessStatus } from './status';

/** Reads import processes for an operator (`process list`, `process show`). */
@Injectable()
export class InspectImportProcesses {
  constructor(
    private readonly processes: ImportProcessInspectionRepository,
    private readonly suppliers: ImportSupplierRepository,
  ) {}

  /**
   * A supplier's processes in the order of creation, in chunks. Memory holds one chunk, and no transaction stays open
   * while a slow terminal reads.
   *
   * @param chunkRows rows that are read and yielded together
   * @throws PortageError `operation_refused` if there is no such supplier
   */
  async *list(
    supplierCode: string,
    filter: { status?: ImportProcessStatus | undefined; errorCode?: string | undefined },
    chunkRows = LIST_CHUNK_ROWS,
  ): AsyncGenerator<ImportProcessEntity[]> {
    const supplierId = await this.findSupplierId(supplierCode);
    for (let after = '0'; ;) {
      const chunk = await this.processes.list(supplierId, filter, after, chunkRows);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < chunkRows) return;
      after = (chunk.at(-1) as ImportProcessEntity).id;
    }
  }

  /**
   * One process with all its events, the oldest first.
   *
   * @throws PortageError `operation_refused` if there is no such supplier or process
   */
  async show(
    supplierCode: string,
    externalAccountNumber: string,
  ): Promise<{ process: ImportProcessEntity; events: ImportProcessEventEntity[] }> {
    const process = await this.processes.find(await this.findSupplierId(supplierCode), externalAccountNumber);
    if (!process)
      throw new PortageError(
        'operation_refused',
        `Supplier ${supplierCode} has no process for the account number ${externalAccountNumber}.`,
      );
    return { process, events: await this.processes.events(process.id) };
  }

  private async findSupplierId(code: string): Promise<number> {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier)
      throw new PortageError(
        'operation_refused',
        `There is no supplier ${code}. List them with: supplier list`,
      );
    return supplier.id;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import {
  type ImportProcessEntity,
  type ImportProcessEventEntity,
  ImportProcessInspectionRepository,
  ImportSupplierRepository,
} from '@portage/database';
import type { ImportProcessStatus } from '@portage/domain';
import { Refusal } from '../refusal';

/** Lets an operator look at processes (`process list`, `process show`). */
@Injectable()
export class InspectImportProcesses {
  constructor(
    private readonly processes: ImportProcessInspectionRepository,
    private readonly suppliers: ImportSupplierRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A supplier's processes in the order of creation, a chunk at a time: however many there are, memory holds one
   * chunk, and no transaction stays open while a slow terminal reads.
   */
  async *list(
    supplierCode: string,
    filter: { status?: ImportProcessStatus | undefined; errorCode?: string | undefined },
  ): AsyncGenerator<ImportProcessEntity[]> {
    const supplierId = await this.supplierId(supplierCode);
    for (let after = '0'; ;) {
      const chunk = await this.processes.list(supplierId, filter, after, this.config.LIST_CHUNK_ROWS);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < this.config.LIST_CHUNK_ROWS) return;
      after = (chunk.at(-1) as ImportProcessEntity).id;
    }
  }

  /** One process with all its events, the oldest first. */
  async show(
    supplierCode: string,
    externalAccountNumber: string,
  ): Promise<{ process: ImportProcessEntity; events: ImportProcessEventEntity[] }> {
    const process = await this.processes.find(await this.supplierId(supplierCode), externalAccountNumber);
    if (!process)
      throw new Refusal(
        `Supplier ${supplierCode} has no process for the account number ${externalAccountNumber}.`,
      );
    return { process, events: await this.processes.events(process.id) };
  }

  private async supplierId(code: string): Promise<number> {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
    return supplier.id;
  }
}

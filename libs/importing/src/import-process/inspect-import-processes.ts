import { Injectable } from '@nestjs/common';
import { ImportProcessEntity, ImportProcessEventEntity, ImportSupplierRepository } from '@portage/database';
import type { ImportProcessStatus } from '@portage/domain';
import { DataSource, type FindOptionsWhere, MoreThan } from 'typeorm';
import { Refusal } from '../refusal';

const CHUNK = 1_000;

/** Lets an operator look at processes (`process list`, `process show`). */
@Injectable()
export class InspectImportProcesses {
  constructor(
    private readonly dataSource: DataSource,
    private readonly suppliers: ImportSupplierRepository,
  ) {}

  /** A supplier's processes in the order of creation, a chunk at a time. */
  async *list(
    supplierCode: string,
    filter: { status?: ImportProcessStatus | undefined; errorCode?: string | undefined },
  ): AsyncGenerator<ImportProcessEntity> {
    const supplierId = await this.supplierId(supplierCode);
    const where: FindOptionsWhere<ImportProcessEntity> = { supplierId };
    if (filter.status) where.status = filter.status;
    if (filter.errorCode) where.errorCode = filter.errorCode;
    for (let after = '0'; ;) {
      const chunk = await this.dataSource
        .getRepository(ImportProcessEntity)
        .find({ where: { ...where, id: MoreThan(after) }, order: { id: 'ASC' }, take: CHUNK });
      yield* chunk;
      if (chunk.length < CHUNK) return;
      after = (chunk.at(-1) as ImportProcessEntity).id;
    }
  }

  /** One process with all its events, the oldest first. */
  async show(
    supplierCode: string,
    externalAccountNumber: string,
  ): Promise<{ process: ImportProcessEntity; events: ImportProcessEventEntity[] }> {
    const supplierId = await this.supplierId(supplierCode);
    const process = await this.dataSource
      .getRepository(ImportProcessEntity)
      .findOneBy({ supplierId, externalAccountNumber });
    if (!process)
      throw new Refusal(
        `Supplier ${supplierCode} has no process for the account number ${externalAccountNumber}.`,
      );
    const events = await this.dataSource.getRepository(ImportProcessEventEntity).find({
      where: { processId: process.id },
      order: { version: 'ASC', attempt: 'ASC', occurredAt: 'ASC' },
    });
    return { process, events };
  }

  private async supplierId(code: string): Promise<number> {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
    return supplier.id;
  }
}

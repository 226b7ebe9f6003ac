import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LIST_CHUNK_ROWS } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { type FindOptionsWhere, In, MoreThan, Repository } from 'typeorm';
import { ImportProcessEntity } from './import-process.entity';
import type { ImportProcessStatus } from './status';

/** Filters of a list. A process matches if it matches all that are present. */
interface InspectionFilter {
  status?: ImportProcessStatus | readonly ImportProcessStatus[] | undefined;
  errorCode?: string | undefined;
}

/** Reads all import processes of a supplier for an operator, however many there are. */
@Injectable()
export class InspectImportProcesses {
  constructor(
    @InjectRepository(ImportProcessEntity) private readonly processes: Repository<ImportProcessEntity>,
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
    filter: InspectionFilter,
    chunkRows = LIST_CHUNK_ROWS,
  ): AsyncGenerator<ImportProcessEntity[]> {
    const { id: supplierId } = await this.suppliers.requireByCode(supplierCode);
    for (let after = '0'; ;) {
      const where: FindOptionsWhere<ImportProcessEntity> = { supplierId, id: MoreThan(after) };
      if (filter.status) where.status = In([filter.status].flat());
      if (filter.errorCode) where.errorCode = filter.errorCode;
      const chunk = await this.processes.find({ where, order: { id: 'ASC' }, take: chunkRows });
      if (chunk.length > 0) yield chunk;
      if (chunk.length < chunkRows) return;
      after = (chunk.at(-1) as ImportProcessEntity).id;
    }
  }

  /** As {@link list}: the processes that ended with an error. */
  listFailed(supplierCode: string, chunkRows?: number): AsyncGenerator<ImportProcessEntity[]> {
    return this.list(supplierCode, { status: ['ERRORED', 'DRY_RUN_ERRORED'] }, chunkRows);
  }
}

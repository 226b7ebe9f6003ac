import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LIST_CHUNK_ROWS } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { In, MoreThan, Repository } from 'typeorm';
import { ImportProcessEntity } from './import-process.entity';

/** Reads the import processes of a supplier that ended with an error, however many there are. */
@Injectable()
export class ListFailedProcesses {
  constructor(
    @InjectRepository(ImportProcessEntity) private readonly processes: Repository<ImportProcessEntity>,
    private readonly suppliers: ImportSupplierRepository,
  ) {}

  /**
   * The processes in the order of creation, in chunks. Memory holds one chunk, and no transaction stays open while a slow
   * reader takes it.
   *
   * @param chunkRows rows that are read and yielded together
   * @throws PortageError `operation_refused` if there is no such supplier
   */
  async *list(supplierCode: string, chunkRows = LIST_CHUNK_ROWS): AsyncGenerator<ImportProcessEntity[]> {
    const { id: supplierId } = await this.suppliers.requireByCode(supplierCode);
    for (let after = '0'; ;) {
      const chunk = await this.processes.find({
        where: { supplierId, id: MoreThan(after), status: In(['ERRORED', 'DRY_RUN_ERRORED']) },
        order: { id: 'ASC' },
        take: chunkRows,
      });
      if (chunk.length > 0) yield chunk;
      if (chunk.length < chunkRows) return;
      after = (chunk.at(-1) as ImportProcessEntity).id;
    }
  }
}

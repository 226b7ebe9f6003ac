import { Injectable } from '@nestjs/common';
import type { ImportProcessStatus } from '@portage/domain';
import { DataSource, type FindOptionsWhere, In, MoreThan } from 'typeorm';
import { ImportProcessEventEntity } from './import-process-event.entity';
import { ImportProcessEntity } from './import-process.entity';

/** Whole rows for an operator to look at; nothing here is on a hot path. */
@Injectable()
export class ImportProcessInspectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Up to `rows` processes after the process `after`, in the order of creation. */
  async list(
    supplierId: number,
    filter: {
      status?: ImportProcessStatus | readonly ImportProcessStatus[] | undefined;
      errorCode?: string | undefined;
    },
    after: string,
    rows: number,
  ): Promise<ImportProcessEntity[]> {
    const where: FindOptionsWhere<ImportProcessEntity> = { supplierId, id: MoreThan(after) };
    if (filter.status) where.status = In([filter.status].flat());
    if (filter.errorCode) where.errorCode = filter.errorCode;
    return this.dataSource
      .getRepository(ImportProcessEntity)
      .find({ where, order: { id: 'ASC' }, take: rows });
  }

  async find(supplierId: number, externalAccountNumber: string): Promise<ImportProcessEntity | undefined> {
    const found = await this.dataSource
      .getRepository(ImportProcessEntity)
      .findOneBy({ supplierId, externalAccountNumber });
    return found ?? undefined;
  }

  /** Everything that happened to a process, the oldest first. */
  async events(processId: string): Promise<ImportProcessEventEntity[]> {
    return this.dataSource
      .getRepository(ImportProcessEventEntity)
      .find({ where: { processId }, order: { version: 'ASC', attempt: 'ASC', occurredAt: 'ASC' } });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, MoreThan, Repository } from 'typeorm';
import type { ImportProcessStatus } from './status';
import { ImportProcessEntity } from './import-process.entity';

/** Filters of a list. A process matches if it matches all that are present. */
export interface InspectionFilter {
  status?: ImportProcessStatus | readonly ImportProcessStatus[] | undefined;
  errorCode?: string | undefined;
}

/** Reads whole processes for operators; not on a hot path. */
@Injectable()
export class ImportProcessInspectionRepository {
  constructor(
    @InjectRepository(ImportProcessEntity) private readonly processes: Repository<ImportProcessEntity>,
  ) {}

  /** Up to `rows` processes after the process `after`, in the order of creation. */
  async list(
    supplierId: number,
    filter: InspectionFilter,
    after: string,
    rows: number,
  ): Promise<ImportProcessEntity[]> {
    const where: FindOptionsWhere<ImportProcessEntity> = { supplierId, id: MoreThan(after) };
    if (filter.status) where.status = In([filter.status].flat());
    if (filter.errorCode) where.errorCode = filter.errorCode;
    return this.processes.find({ where, order: { id: 'ASC' }, take: rows });
  }
}

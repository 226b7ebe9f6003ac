import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, MoreThan, Repository } from 'typeorm';
import type { ImportProcessStatus } from './status';
import { ImportProcessEventEntity } from './import-process-event.entity';
import { ImportProcessEntity } from './import-process.entity';

/** Reads whole processes and their events for operators; not on a hot path. */
@Injectable()
export class ImportProcessInspectionRepository {
  constructor(
    @InjectRepository(ImportProcessEntity) private readonly processes: Repository<ImportProcessEntity>,
    @InjectRepository(ImportProcessEventEntity)
    private readonly processEvents: Repository<ImportProcessEventEntity>,
  ) {}

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
    return this.processes.find({ where, order: { id: 'ASC' }, take: rows });
  }

  /** The supplier's process with this external account number. */
  async find(supplierId: number, externalAccountNumber: string): Promise<ImportProcessEntity | undefined> {
    return (await this.processes.findOneBy({ supplierId, externalAccountNumber })) ?? undefined;
  }

  /** All events of a process, the oldest first. */
  async events(processId: string): Promise<ImportProcessEventEntity[]> {
    return this.processEvents.find({
      where: { processId },
      order: { version: 'ASC', attempt: 'ASC', occurredAt: 'ASC' },
    });
  }
}

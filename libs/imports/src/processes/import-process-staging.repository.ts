import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Executor, takeAdvisoryLock, translateErrors } from '@portage/platform';
import type { ImportSupplierEntity } from '@portage/tenants';
import { In, Repository } from 'typeorm';
import { canReimport } from './erased-numbers';
import { ImportProcessEventEntity } from './import-process-event.entity';
import { ImportProcessEntity } from './import-process.entity';
import { ImportProcessPayloadEntity } from './import-process-payload.entity';
import { type ImportProcessStatus, type StagingState, statusesAllowing } from './status';
import type { ProcessVersion } from './pending-process.repository';

/** A locked process, as a request to process its account finds it. */
export interface StagingProcess extends ProcessVersion {
  status: ImportProcessStatus;
  staging: StagingState | null;
  accountNumber: string | null;
}

/** The end of one version of a process. */
export interface ProcessEnd {
  status: ImportProcessStatus;
  accountNumber: string | null;
  errorCode: string | null;
}

/** Writes import processes of accounts that are staged (v1) and processed on request. */
@Injectable()
export class ImportProcessStagingRepository {
  constructor(
    @InjectRepository(ImportProcessEntity) private readonly processes: Repository<ImportProcessEntity>,
    private readonly database: Database,
  ) {}

  /** Reads the process of an account and locks it until the transaction ends. */
  async lock(
    executor: Executor,
    supplierId: number,
    externalAccountNumber: string,
  ): Promise<StagingProcess | undefined> {
    const found = await executor.manager.findOne(ImportProcessEntity, {
      where: { supplierId, externalAccountNumber },
      lock: { mode: 'for_no_key_update' },
    });
    if (!found) return undefined;
    const { id: processId, version, status, staging, accountNumber } = found;
    return { processId, version, status, staging, accountNumber };
  }

  /** The platform account number of an imported account; undefined if the number can be imported. */
  async findAccountNumber(
    supplier: ImportSupplierEntity,
    externalAccountNumber: string,
  ): Promise<string | undefined> {
    const name = { supplierId: supplier.id, externalAccountNumber };
    const found = await translateErrors(this.processes.findOneBy(name));
    if (!found || canReimport(found, supplier)) return undefined;
    return found.accountNumber ?? undefined;
  }

  /** Makes a locked process ready to be processed, as a new version; undefined if its status forbids that. */
  async submit(
    executor: Executor,
    processId: string,
    { isDryRun, actor }: { isDryRun: boolean; actor: string },
  ): Promise<ProcessVersion | undefined> {
    // As if an operator had released it: the creation mode of the supplier does not apply.
    const updated = await executor.manager
      .createQueryBuilder()
      .update(ImportProcessEntity)
      .set({
        version: () => 'version + 1',
        attempt: 0,
        status: 'PENDING',
        staging: 'PROCESSING',
        isDryRun,
        isReleased: true,
        latestEvent: 'CREATED',
        latestEventAt: () => 'now()',
        errorCode: null,
        errorDetail: null,
        errorFields: null,
        batchId: null,
        modifiedAt: () => 'now()',
        enqueuedAt: 'infinity',
      })
      .where({ id: processId, status: In(statusesAllowing('submit')) })
      .returning('version')
      .execute();
    const [submitted] = updated.raw as { version: number }[];
    if (!submitted) return undefined;
    const { version } = submitted;
    await executor.manager.insert(ImportProcessEventEntity, {
      processId,
      version,
      attempt: 0,
      event: 'SUBMITTED',
      actor,
    });
    return { processId, version };
  }

  /**
   * True if requests process `limit` accounts of the supplier at the moment. Concurrent callers wait for each other
   * until their transactions end, so that the limit holds for all of them together.
   */
  async isProcessingLimitReached(executor: Executor, supplierId: number, limit: number): Promise<boolean> {
    await takeAdvisoryLock(executor, 'processing', supplierId);
    const processing = await executor.manager
      .createQueryBuilder(ImportProcessEntity, 'process')
      .select('process.id')
      .where({ supplierId })
      .andWhere(`process.staging = 'PROCESSING' AND process.status IN ('PENDING', 'IN_PROGRESS')`)
      .limit(limit)
      .getMany();
    return processing.length >= limit;
  }

  /** The state of a version; undefined if the process has another version by now. */
  async readVersion({ processId, version }: ProcessVersion): Promise<ProcessEnd | undefined> {
    return (await translateErrors(this.processes.findOneBy({ id: processId, version }))) ?? undefined;
  }

  /** The account of a process as it was sent; undefined if it was erased. */
  async readPayload(
    processId: string,
    executor: Executor = this.database,
  ): Promise<Record<string, unknown> | undefined> {
    const found = await translateErrors(
      executor.manager.findOneBy(ImportProcessPayloadEntity, { processId }),
    );
    return found?.payload as Record<string, unknown> | undefined;
  }
}

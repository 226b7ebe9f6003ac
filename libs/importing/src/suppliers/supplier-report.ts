import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import {
  type ErrorCount,
  type ImportProcessEntity,
  ImportProcessInspectionRepository,
  ImportSupplierRepository,
  SupplierReportRepository,
} from '@portage/database';
import {
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  type ImportSupplierStatus,
  type Pace,
  paceOf,
} from '@portage/domain';
import { Refusal } from '../refusal';

const MOST_ERRORS = 10;
const BUCKET_SECONDS = 60;
const BUCKETS = 60;
const FAILED: readonly ImportProcessStatus[] = ['ERRORED', 'DRY_RUN_ERRORED'];

/** Where the migration of a supplier stands. */
export interface MigrationReport {
  supplierStatus: ImportSupplierStatus;
  total: number;
  processes: Record<ImportProcessStatus, number>;
  /** PENDING, but not before their schedule window opens. */
  waitingForWindow: number;
  errors: ErrorCount[];
  bucketSeconds: number;
  /** Processes that came to an end, by bucket, the latest last. */
  ended: number[];
  /** Of what workers can work on now: what waits for a window, or for the operator's release, is left out. */
  pace: Pace;
}

/** Tells an operator how far a migration is, and what stands in its way (`supplier report`). */
@Injectable()
export class SupplierReport {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly reports: SupplierReportRepository,
    private readonly processes: ImportProcessInspectionRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws Refusal when there is no such supplier */
  async of(code: string): Promise<MigrationReport> {
    const supplier = await this.find(code);
    const [statuses, errors, ended] = await Promise.all([
      this.reports.statuses(supplier.id),
      this.reports.errors(supplier.id, MOST_ERRORS),
      this.reports.ended(supplier.id, BUCKET_SECONDS, BUCKETS),
    ]);
    const processes = Object.fromEntries(
      IMPORT_PROCESS_STATUSES.map((status) => [
        status,
        statuses.find((counted) => counted.status === status)?.count ?? 0,
      ]),
    ) as Record<ImportProcessStatus, number>;
    const waitingForWindow = statuses.find(({ status }) => status === 'PENDING')?.waitingForWindow ?? 0;
    const remaining = processes.PENDING + processes.IN_PROGRESS - waitingForWindow;
    return {
      supplierStatus: supplier.status,
      total: statuses.reduce((sum, { count }) => sum + count, 0),
      ...{ processes, waitingForWindow, errors, ended },
      bucketSeconds: BUCKET_SECONDS,
      pace: paceOf(ended, BUCKET_SECONDS, remaining),
    };
  }

  /**
   * The processes that ended with an error, in the order of creation, a chunk at a time.
   *
   * @throws Refusal when there is no such supplier
   */
  async *failed(code: string): AsyncGenerator<ImportProcessEntity[]> {
    const { id } = await this.find(code);
    const rows = this.config.LIST_CHUNK_ROWS;
    for (let after = '0'; ;) {
      const chunk = await this.processes.list(id, { status: FAILED }, after, rows);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < rows) return;
      after = (chunk.at(-1) as ImportProcessEntity).id;
    }
  }

  private async find(code: string) {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
    return supplier;
  }
}

import { Injectable } from '@nestjs/common';
import { ImportSupplierRepository, type ImportSupplierStatus } from '@portage/tenants';
import { type ErrorCount, SupplierReportRepository } from './supplier-report.repository';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from './status';
import { type Pace, paceOf } from './progress';

const MAX_ERROR_CODES = 10;
const BUCKET_SECONDS = 60;
const BUCKET_COUNT = 60;

/** The progress of a supplier's migration. */
export interface MigrationReport {
  supplierStatus: ImportSupplierStatus;
  total: number;
  processes: Record<ImportProcessStatus, number>;
  /** PENDING processes whose schedule window has not opened yet. */
  waitingForWindow: number;
  /** The most frequent error codes, each with the latest example. */
  errors: ErrorCount[];
  /** Length of a bucket of {@link ended}. */
  bucketSeconds: number;
  /** Processes that ended in each bucket, the latest bucket last. */
  ended: number[];
  /** Throughput and time left. Processes that wait for a window or for a release are not counted as remaining. */
  pace: Pace;
}

/** Reports the progress of a supplier's migration (`supplier report`). */
@Injectable()
export class SupplierReport {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly reports: SupplierReportRepository,
  ) {}

  /**
   * Reads the report of a supplier.
   *
   * @throws PortageError `operation_refused` if there is no such supplier
   */
  async read(code: string): Promise<MigrationReport> {
    const supplier = await this.suppliers.requireByCode(code);
    const [statuses, errors, ended] = await Promise.all([
      this.reports.statuses(supplier.id),
      this.reports.errors(supplier.id, MAX_ERROR_CODES),
      this.reports.ended(supplier.id, BUCKET_SECONDS, BUCKET_COUNT),
    ]);
    const processes = Object.fromEntries(
      IMPORT_PROCESS_STATUSES.map((status) => [
        status,
        statuses.find((row) => row.status === status)?.count ?? 0,
      ]),
    ) as Record<ImportProcessStatus, number>;
    const waitingForWindow = statuses.find(({ status }) => status === 'PENDING')?.waitingForWindow ?? 0;
    const remaining = processes.PENDING + processes.IN_PROGRESS - waitingForWindow;
    return {
      supplierStatus: supplier.status,
      total: statuses.reduce((sum, { count }) => sum + count, 0),
      processes,
      waitingForWindow,
      errors,
      ended,
      bucketSeconds: BUCKET_SECONDS,
      pace: paceOf(ended, BUCKET_SECONDS, remaining),
    };
  }
}

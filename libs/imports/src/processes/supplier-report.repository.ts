import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '@portage/platform';
import type { ImportProcessStatus } from './status';

/**
 * The count of processes with a status, and of those that wait for their schedule window to open or, once staged, for
 * a request to process them.
 */
export interface StatusCount {
  status: ImportProcessStatus;
  count: number;
  waitingForWindow: number;
}

/** The count of processes that ended with an error, and the latest of them. */
export interface ErrorCount {
  code: string;
  count: number;
  externalAccountNumber: string;
  detail: string;
}

const statusCounts: Statement = {
  name: 'report-statuses',
  text: `
    SELECT status, count(*)::int AS count,
      (count(*) FILTER (WHERE schedule_window_start > now() OR staging = 'WAITING'))::int AS waiting_for_window
    FROM import_process WHERE supplier_id = $1 GROUP BY status`,
};

const errorCounts: Statement = {
  name: 'report-errors',
  text: `
    WITH counted AS (
      SELECT error_code, count(*)::int AS count, max(id) AS latest
      FROM import_process WHERE supplier_id = $1 AND status IN ('ERRORED', 'DRY_RUN_ERRORED')
      GROUP BY error_code ORDER BY count DESC, error_code LIMIT $2
    )
    SELECT counted.error_code AS code, count, external_account_number,
      coalesce(error_detail, '') AS detail
    FROM counted JOIN import_process ON id = latest ORDER BY count DESC, code`,
};

const endedCounts: Statement = {
  name: 'report-ended',
  text: `
    SELECT floor(extract(epoch FROM now() - modified_at) / $2)::int AS age, count(*)::int AS count
    FROM import_process
    WHERE supplier_id = $1 AND modified_at > now() - $2 * $3 * interval '1 second'
      AND status IN ('PROCESSED', 'ERRORED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED')
    GROUP BY age`,
};

/** The progress of a supplier's migration. Reads all its processes, so it is not for metrics. */
@Injectable()
export class SupplierReportRepository {
  constructor(private readonly database: Database) {}

  /** Counts by status. */
  async statuses(supplierId: number): Promise<StatusCount[]> {
    return this.database.run<StatusCount>(statusCounts, [supplierId]);
  }

  /** Counts by error code, the most frequent first. */
  async errors(supplierId: number, limit: number): Promise<ErrorCount[]> {
    return this.database.run<ErrorCount>(errorCounts, [supplierId, limit]);
  }

  /** The count of processes that ended in each of the last `buckets` intervals of `bucketSeconds`, the latest last. */
  async ended(supplierId: number, bucketSeconds: number, buckets: number): Promise<number[]> {
    const rows = await this.database.run<{ age: number; count: number }>(endedCounts, [
      supplierId,
      bucketSeconds,
      buckets,
    ]);
    const ended = Array<number>(buckets).fill(0);
    for (const { age, count } of rows) if (age < buckets) ended[buckets - 1 - Math.max(0, age)] = count;
    return ended;
  }
}

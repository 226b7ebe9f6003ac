import { Injectable } from '@nestjs/common';
import type { ImportProcessStatus } from '@portage/domain';
import { Database, type Statement } from '../connection/database';

/** Processes of one status, and how many of them wait for their schedule window to open. */
export interface StatusCount {
  status: ImportProcessStatus;
  count: number;
  waitingForWindow: number;
}

/** How often an error ended a process, with the latest that it did. */
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
      (count(*) FILTER (WHERE schedule_window_start > now()))::int AS "waitingForWindow"
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
    SELECT counted.error_code AS code, count, external_account_number AS "externalAccountNumber",
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

/** Where a migration stands. Reads all processes of the supplier: for people who ask, not for every scrape. */
@Injectable()
export class SupplierReportRepository {
  constructor(private readonly database: Database) {}

  async statuses(supplierId: number): Promise<StatusCount[]> {
    return this.database.run<StatusCount & Record<string, unknown>>(statusCounts, [supplierId]);
  }

  /** The most frequent errors, the most frequent first. */
  async errors(supplierId: number, most: number): Promise<ErrorCount[]> {
    return this.database.run<ErrorCount & Record<string, unknown>>(errorCounts, [supplierId, most]);
  }

  /** How many processes came to an end in each of the last `buckets` spans of `bucketSeconds`, the latest last. */
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

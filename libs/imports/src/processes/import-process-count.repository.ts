import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '@portage/platform';
import type { ImportProcessStatus } from './status';

/** The number of a supplier's processes with a status, and how many of them are stuck. */
export interface ImportProcessCount {
  supplier: string;
  status: ImportProcessStatus;
  count: number;
  stuck: number;
}

const count: Statement = {
  name: 'count-import-processes',
  // The count reads an index only. A PENDING process is stuck if its enqueued_at is old, which the sweeper renews. A
  // process IN_PROGRESS is stuck if its start is old: the sweeper takes the job of a hanging worker for active. A
  // status that no process has any more is stored as 0.
  text: `
    WITH counted AS (
      SELECT supplier_id, status, count(*) AS count FROM import_process GROUP BY supplier_id, status
    ), stuck AS (
      SELECT supplier_id, status, count(*) AS stuck FROM (
        SELECT supplier_id, status FROM import_process
        WHERE status IN ('PENDING', 'IN_PROGRESS') AND status = 'PENDING' AND enqueued_at < $1
          AND (schedule_window_start IS NULL OR schedule_window_start < $1)
        UNION ALL
        SELECT process.supplier_id, process.status FROM import_supplier supplier
        JOIN import_process process ON process.supplier_id = supplier.id AND process.status = 'IN_PROGRESS'
        WHERE process.modified_at < $2
      ) overdue GROUP BY supplier_id, status
    )
    INSERT INTO import_process_count AS stored (supplier_id, status, count, stuck, counted_at)
    SELECT supplier_id, status, coalesce(counted.count, 0), coalesce(stuck.stuck, 0), now()
    FROM counted FULL JOIN import_process_count USING (supplier_id, status)
      LEFT JOIN stuck USING (supplier_id, status)
    ON CONFLICT (supplier_id, status) DO UPDATE
    SET count = excluded.count, stuck = excluded.stuck, counted_at = excluded.counted_at
    RETURNING stored.count::int AS count`,
};

const read: Statement = {
  name: 'read-import-process-counts',
  text: `
    SELECT code AS supplier, counted.status, count::int AS count, stuck::int AS stuck
    FROM import_process_count counted JOIN import_supplier supplier ON supplier.id = supplier_id
    WHERE counted_at > now() - make_interval(secs => $1)`,
};

/** Stored counts of processes, made once for all instances. */
@Injectable()
export class ImportProcessCountRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts all processes and stores the counts.
   *
   * @param enqueuedBefore a PENDING process that is due and was enqueued before this time is stuck
   * @param startedBefore a process IN_PROGRESS that was started before this time is stuck
   * @returns the number of processes
   */
  async renew(enqueuedBefore: Date, startedBefore: Date): Promise<number> {
    const rows = await this.database.run<{ count: number }>(count, [enqueuedBefore, startedBefore]);
    return rows.reduce((sum, row) => sum + row.count, 0);
  }

  /** The latest counts, unless they are older than `maxAgeSeconds`. */
  async read(maxAgeSeconds: number): Promise<ImportProcessCount[]> {
    return this.database.run<ImportProcessCount>(read, [maxAgeSeconds]);
  }
}

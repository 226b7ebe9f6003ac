import { Injectable } from '@nestjs/common';
import { Database, lockKey, MAX_ID, quoteList, type Statement, translateErrors } from '@portage/platform';
import type { ImportCountKind } from './import-count.entity';
import { ImportThroughputMinuteEntity } from './import-throughput.entity';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from '../processes/status';

/** Only one process folds at a time; the others skip it. */
const FOLD_LOCK = lockKey('import-counts');

const KEPT_SECONDS = 180;
const KEPT_DAYS = 7;

/** Processes of a supplier among which one that is due is looked for: those before it wait for a window or a request. */
const MAX_EXAMINED = 200;

/** Stuck processes that are counted of either status: the metric need not tell more apart. */
const MAX_STUCK = 10_000;

const PROCESS_KINDS = quoteList([...IMPORT_PROCESS_STATUSES, 'STAGED']);

/** The states of an account that has come to its end. */
const ENDED_STATUSES: readonly ImportProcessStatus[] = [
  'PROCESSED',
  'ERRORED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
];

/** The same, and those of a correction and of an addition. */
const ENDED_KINDS = [
  ...ENDED_STATUSES,
  'CORRECTION_SUCCEEDED',
  'CORRECTION_REHEARSED',
  'CORRECTION_ERRORED',
  'ADDITION_PROCESSED',
  'ADDITION_UNCHANGED',
  'ADDITION_ERRORED',
  'ADDITION_DRY_RUN_SUCCEEDED',
  'ADDITION_DRY_RUN_ERRORED',
] as const;

/** The SQL of how many accounts have got one of the statuses: those that leave it later are not subtracted. */
const gained = (...statuses: readonly ImportCountKind[]) =>
  `coalesce(sum(count) FILTER (WHERE kind IN (${quoteList(statuses)}) AND count > 0), 0)`;

/**
 * The SQL of the sums of changes that are the columns of a minute. A change of status subtracts as many processes as it
 * adds, so that the sum of all changes is the number of accounts that were received for the first time.
 */
const MINUTE_SUMS = `sum(count), ${gained('PROCESSED')}, ${gained('ERRORED', 'DRY_RUN_ERRORED')}, ${gained('CANCELLED')},
        coalesce(sum(waited_ms), 0), coalesce(sum(-count) FILTER (WHERE waited_ms IS NOT NULL), 0)`;

/** The number of a supplier's processes with a status, or of its lines. STAGED processes are not counted as PENDING. */
export interface SupplierCount {
  supplier: string;
  kind: ImportProcessStatus | 'STAGED' | 'LINE' | 'LINE_REFUSED';
  count: number;
}

/** What happened in a minute, or in several. */
export interface Throughput {
  /** Its begin, in seconds since 1970. */
  at: number;
  /** Accounts that were received for the first time. */
  accepted: number;
  processed: number;
  errored: number;
  cancelled: number;
  /** Sum over the processed accounts. */
  latencyMs: number;
  latencyCount: number;
}

/** How many accounts come to their end in a second, by the clock of the database: 0 if none does. */
export interface Rates {
  /** Accounts that were created, over the last ten seconds. */
  processedPerSecond: number;
  /** The same over the last minute. */
  processedPerSecondOfMinute: number;
  /** All that came to their end, over the last ten seconds. */
  endedPerSecond: number;
  /** The same over the last minute. */
  endedPerSecondOfMinute: number;
}

export const NO_RATES: Rates = {
  processedPerSecond: 0,
  processedPerSecondOfMinute: 0,
  endedPerSecond: 0,
  endedPerSecondOfMinute: 0,
};

const since = (seconds: number) => `date_trunc('second', now()) - interval '${seconds} seconds'`;

/**
 * The SQL of what came to its end in the last minute: rows with `supplier_id`, `at`, `processed` and `ended`.
 *
 * @param condition on `supplier_id` and `submission_id`
 */
export const recentThroughput = (condition: string): string => `
      SELECT supplier_id, at, processed, ended FROM import_throughput_second WHERE at >= ${since(60)} AND ${condition}
      UNION ALL
      SELECT supplier_id, changed_at, CASE kind WHEN 'PROCESSED' THEN count ELSE 0 END, count FROM import_count_change
      WHERE id > 0 AND changed_at >= ${since(60)} AND count > 0 AND kind IN (${quoteList(ENDED_KINDS)}) AND ${condition}`;

const rate = (column: string, seconds: number, name: string) =>
  `coalesce(sum(${column}) FILTER (WHERE at >= ${since(seconds)}), 0)::float8
      / date_part('epoch', now() - (${since(seconds)})) AS ${name}`;

/** The SQL of {@link Rates} over rows of {@link recentThroughput}. */
export const RATES = [
  rate('processed', 10, 'processed_per_second'),
  rate('processed', 60, 'processed_per_second_of_minute'),
  rate('ended', 10, 'ended_per_second'),
  rate('ended', 60, 'ended_per_second_of_minute'),
].join(',\n      ');

/**
 * The SQL of the counts of suppliers: rows with `supplier_id`, `kind`, `error_code` and `count`, of which the sums are exact
 * in the snapshot of the statement.
 *
 * @param suppliers a subquery of their ids
 */
export const countsOfSuppliers = (suppliers: string): string => `
      SELECT supplier_id, kind, error_code, count FROM import_count
      WHERE supplier_id = ANY(ARRAY(${suppliers})) AND submission_id = 0
      UNION ALL
      SELECT supplier_id, kind, error_code, count FROM import_count_change
      WHERE id > 0 AND supplier_id = ANY(ARRAY(${suppliers}))`;

/**
 * The SQL of what happened in each minute: rows with the columns of `import_throughput_minute`, more than one for a minute.
 *
 * @param suppliers a subquery of their ids
 * @param from the SQL of the first minute
 */
export const throughputByMinute = (suppliers: string, from: string): string => `
      SELECT supplier_id, at, accepted, processed, errored, cancelled, latency_ms, latency_count
      FROM import_throughput_minute WHERE supplier_id = ANY(ARRAY(${suppliers})) AND at >= ${from}
      UNION ALL
      SELECT supplier_id, date_trunc('minute', changed_at), ${MINUTE_SUMS}
      FROM import_count_change
      WHERE id > 0 AND supplier_id = ANY(ARRAY(${suppliers})) AND changed_at >= ${from} AND kind IN (${PROCESS_KINDS})
      GROUP BY 1, 2`;

const fold: Statement = {
  name: 'fold-import-counts',
  // A change is deleted and added in one statement, so it is added once. The deleted rows are those that this statement
  // has deleted, also if another one had the lock after the snapshot was taken.
  text: `
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(${FOLD_LOCK}) AS is_mine
    ), taken AS (
      DELETE FROM import_count_change WHERE id = ANY(ARRAY(
        SELECT id FROM import_count_change WHERE (SELECT is_mine FROM lock) ORDER BY id LIMIT $1
      )) RETURNING *
    ), counted AS (
      INSERT INTO import_count AS total (supplier_id, submission_id, kind, error_code, count)
      SELECT supplier_id, submission_id, kind, error_code, sum(count) FROM (
        SELECT supplier_id, 0::bigint AS submission_id, kind, error_code, count FROM taken
        UNION ALL
        SELECT supplier_id, submission_id, kind, '', count FROM taken WHERE submission_id <> 0
      ) AS counted GROUP BY 1, 2, 3, 4
      ON CONFLICT (supplier_id, submission_id, kind, error_code) DO UPDATE SET count = total.count + excluded.count
    ), seconds AS (
      INSERT INTO import_throughput_second AS stored (at, supplier_id, submission_id, processed, ended)
      SELECT date_trunc('second', changed_at), supplier_id, submission_id, ${gained('PROCESSED')},
        ${gained(...ENDED_KINDS)}
      FROM taken WHERE changed_at > now() - interval '${KEPT_SECONDS} seconds' AND count > 0
        AND kind IN (${quoteList(ENDED_KINDS)})
      GROUP BY 1, 2, 3
      ON CONFLICT (at, supplier_id, submission_id) DO UPDATE SET processed = stored.processed + excluded.processed,
        ended = stored.ended + excluded.ended
    ), minutes AS (
      INSERT INTO import_throughput_minute AS stored (supplier_id, at, accepted, processed, errored, cancelled, latency_ms,
        latency_count)
      SELECT supplier_id, date_trunc('minute', changed_at), ${MINUTE_SUMS}
      FROM taken WHERE changed_at > now() - interval '${KEPT_DAYS} days' AND kind IN (${PROCESS_KINDS})
      GROUP BY 1, 2
      ON CONFLICT (supplier_id, at) DO UPDATE SET accepted = stored.accepted + excluded.accepted,
        processed = stored.processed + excluded.processed, errored = stored.errored + excluded.errored,
        cancelled = stored.cancelled + excluded.cancelled, latency_ms = stored.latency_ms + excluded.latency_ms,
        latency_count = stored.latency_count + excluded.latency_count
    ), expired AS (
      DELETE FROM import_throughput_second
      WHERE (SELECT is_mine FROM lock) AND at < now() - interval '${KEPT_SECONDS} seconds'
    )
    SELECT count(*)::integer AS count FROM taken`,
};

const countAll: Statement = {
  name: 'count-processes-and-lines-of-suppliers',
  // A status that no process has any more is counted as 0, and so are the lines of a supplier without uploads, so that the
  // first increase can be seen.
  text: `
    SELECT code AS supplier,
      CASE kind WHEN 'LINE_TAKEN_OVER' THEN 'LINE' ELSE kind END AS kind,
      sum(count)::float8 AS count
    FROM (${countsOfSuppliers('SELECT id FROM import_supplier')}
      UNION ALL
      SELECT id, kind, '', 0 FROM import_supplier CROSS JOIN (VALUES ('LINE'), ('LINE_REFUSED')) AS of_lines (kind)
    ) AS counted
    JOIN import_supplier supplier ON supplier.id = supplier_id
    WHERE kind IN (${PROCESS_KINDS}, 'LINE', 'LINE_TAKEN_OVER', 'LINE_REFUSED') GROUP BY 1, 2`,
};

const readStalled: Statement = {
  name: 'read-stalled-organisations',
  // The account that waits longest is looked for as for the overview of operators.
  text: `
    SELECT organisation.name AS organisation,
      coalesce(max(date_part('epoch', now() - waiting.due_at)) FILTER (WHERE NOT EXISTS (
        SELECT FROM import_throughput_second AS moved JOIN import_supplier mover ON mover.id = moved.supplier_id
        WHERE moved.at > now() - interval '${KEPT_SECONDS} seconds' AND mover.organisation_id = organisation.id
      )), 0)::float8 AS seconds
    FROM organisation
    LEFT JOIN import_supplier supplier ON supplier.organisation_id = organisation.id AND supplier.status <> 'Paused'
    LEFT JOIN LATERAL (
      SELECT greatest(modified_at, schedule_window_start) AS due_at FROM (
        SELECT modified_at, schedule_window_start, enqueued_at FROM import_process
        -- As rows, so that only the index with this order is read.
        WHERE supplier_id = supplier.id AND (import_process.status, id) > ('PENDING', 0)
          AND (import_process.status, id) <= ('PENDING', ${MAX_ID})
        ORDER BY import_process.status, id LIMIT ${MAX_EXAMINED}
      ) AS pending WHERE enqueued_at <= now() LIMIT 1
    ) AS waiting ON true
    GROUP BY organisation.id, organisation.name`,
};

const countStuck: Statement = {
  name: 'count-stuck-processes',
  // A PENDING process is stuck if its enqueued_at is old, which the sweeper renews, unless its supplier is paused. A
  // process IN_PROGRESS is stuck if its start is old: the sweeper takes the job of a hanging worker for active.
  text: `
    SELECT count(*)::integer AS count FROM (
      (SELECT FROM import_supplier supplier CROSS JOIN LATERAL (
        SELECT FROM import_process
        WHERE supplier_id = supplier.id AND status IN ('PENDING', 'IN_PROGRESS') AND status = 'PENDING'
          AND enqueued_at < 'infinity' AND enqueued_at < $1 AND (schedule_window_start IS NULL OR schedule_window_start < $1)
        ORDER BY enqueued_at LIMIT ${MAX_STUCK}
      ) AS process WHERE supplier.status <> 'Paused' LIMIT ${MAX_STUCK})
      UNION ALL
      (SELECT FROM import_supplier supplier
      JOIN import_process process ON process.supplier_id = supplier.id AND process.status = 'IN_PROGRESS'
      WHERE process.modified_at < $2 LIMIT ${MAX_STUCK})
    ) AS overdue`,
};

/** The counts of processes and lines (ADR 0222). Triggers write their changes. */
@Injectable()
export class ImportCountRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds the oldest changes to the counts. Safe to repeat, and nothing while another process does it.
   *
   * @returns the number of changes that were added; fewer than `limit` if none is left
   */
  async fold(limit: number): Promise<number> {
    const [row] = await this.database.run<{ count: number }>(fold, [limit]);
    return row?.count ?? 0;
  }

  /** The number of processes of each supplier and status, and of its lines with a process and refused, at one moment. */
  async countAll(): Promise<SupplierCount[]> {
    return this.database.run<SupplierCount>(countAll, []);
  }

  /** The number of processes that wait for a worker or for their schedule window, and not for a request. */
  async countWaiting(): Promise<number> {
    const waiting = (await this.countAll()).filter(({ kind }) => kind === 'PENDING');
    return waiting.reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * Every organisation, with the age of its oldest account that is due and whose supplier is not paused; 0 if there is none,
   * or if one of its accounts has come to its end within the last three minutes.
   */
  async readStalled(): Promise<{ organisation: string; seconds: number }[]> {
    return this.database.run<{ organisation: string; seconds: number }>(readStalled, []);
  }

  /**
   * The number of stuck processes, at most 20,000.
   *
   * @param enqueuedBefore a PENDING process that is due and was enqueued before this time is stuck, unless its
   * supplier is paused
   * @param startedBefore a process IN_PROGRESS that was started before this time is stuck
   */
  async countStuck(enqueuedBefore: Date, startedBefore: Date): Promise<number> {
    const [row] = await this.database.run<{ count: number }>(countStuck, [enqueuedBefore, startedBefore]);
    return row?.count ?? 0;
  }

  /** Removes minutes that are older than a week. */
  async removeOldMinutes(): Promise<void> {
    const old = this.database.manager
      .createQueryBuilder()
      .delete()
      .from(ImportThroughputMinuteEntity)
      // Each supplier is a range of the primary key.
      .where('supplier_id = ANY(ARRAY(SELECT id FROM import_supplier))')
      .andWhere(`at < now() - interval '${KEPT_DAYS} days'`);
    await translateErrors(old.execute());
  }
}

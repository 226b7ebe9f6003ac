import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@portage/platform';

/** A minute of a supplier, or the sums of several. */
export interface StoredMinute {
  /** Seconds since 1970. */
  at: number;
  accepted: number;
  processed: number;
  errored: number;
  cancelled: number;
  latencyMs: number;
  latencyCount: number;
}

/** Days for which minutes are kept. */
const KEPT_DAYS = 7;

/** Processed accounts whose latency is measured in one step, about. It bounds the probes of a step. */
const SAMPLE_SIZE = 2_000;

const listSuppliers: Statement = {
  name: 'list-suppliers-to-roll-up',
  text: 'SELECT id FROM import_supplier ORDER BY id',
};

const addSuppliers: Statement = {
  name: 'add-suppliers-to-roll-up',
  text: `
    INSERT INTO import_process_rollup (supplier_id, total) SELECT id, 0 FROM import_supplier
    ON CONFLICT (supplier_id) DO NOTHING`,
};

const rollUpEvents: Statement = {
  name: 'roll-up-events',
  // The lock on the row of the supplier makes concurrent rollups skip it, and the position is moved with the minutes it
  // stands for: an event is added exactly once. Events below the horizon are complete. A position that another rollup
  // has moved after the snapshot of this statement can be above the horizon of the snapshot; nothing is read then.
  text: `
    WITH state AS MATERIALIZED (
      SELECT supplier_id, transaction_id FROM import_process_rollup WHERE supplier_id = $1 FOR UPDATE SKIP LOCKED
    ), bound AS MATERIALIZED (
      SELECT transaction_id AS lower, greatest(transaction_id, coalesce((
        SELECT transaction_id FROM import_process_event
        WHERE supplier_id = $1 AND transaction_id > state.transaction_id AND transaction_id < event_feed_horizon()
        ORDER BY supplier_id, transaction_id, process_id, version, attempt, event OFFSET $2 LIMIT 1
      ), event_feed_horizon() - 1)) AS upper
      FROM state
    ), scanned AS MATERIALIZED (
      SELECT process_id, version, event, occurred_at FROM import_process_event
      WHERE supplier_id = $1 AND transaction_id > (SELECT lower FROM bound)
        AND transaction_id <= (SELECT upper FROM bound)
    ), counted AS (
      SELECT date_trunc('minute', occurred_at) AS minute,
        count(*) FILTER (WHERE event = 'PROCESSED') AS processed,
        count(*) FILTER (WHERE event IN ('ERRORED', 'DRY_RUN_ERRORED')) AS errored,
        count(*) FILTER (WHERE event IN ('CANCELLED', 'ROLLED_BACK')) AS cancelled
      FROM scanned GROUP BY minute
    ), sampled AS (
      SELECT date_trunc('minute', scanned.occurred_at) AS minute,
        sum(extract(epoch FROM scanned.occurred_at - begun.occurred_at) * 1000)::float8 AS latency_ms, count(*) AS latency_count
      FROM scanned CROSS JOIN LATERAL (
        SELECT min(occurred_at) AS occurred_at FROM import_process_event
        WHERE process_id = scanned.process_id AND version = scanned.version
      ) begun
      WHERE scanned.event = 'PROCESSED'
        AND scanned.process_id % (SELECT count(*) / ${SAMPLE_SIZE} + 1 FROM scanned) = 0
      GROUP BY 1
    ), stored AS (
      INSERT INTO import_process_minute AS stored
        (supplier_id, minute, processed, errored, cancelled, latency_ms, latency_count)
      SELECT $1, minute, processed, errored, cancelled, coalesce(latency_ms, 0), coalesce(latency_count, 0)
      FROM counted LEFT JOIN sampled USING (minute)
      WHERE processed + errored + cancelled > 0 AND minute > now() - interval '${KEPT_DAYS} days'
      ON CONFLICT (supplier_id, minute) DO UPDATE SET processed = stored.processed + excluded.processed,
        errored = stored.errored + excluded.errored, cancelled = stored.cancelled + excluded.cancelled,
        latency_ms = stored.latency_ms + excluded.latency_ms,
        latency_count = stored.latency_count + excluded.latency_count
    ), moved AS (
      UPDATE import_process_rollup SET transaction_id = (SELECT upper FROM bound),
        followed_up = followed_up
          + (SELECT count(*) FROM scanned WHERE event IN ('POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED'))
      WHERE supplier_id = (SELECT supplier_id FROM state)
    )
    SELECT count(*)::integer AS count FROM scanned`,
};

const rollUpCounts: Statement = {
  name: 'roll-up-counts',
  // The counts of a minute are made at its end or shortly after.
  text: `
    WITH counted AS MATERIALIZED (
      SELECT supplier_id, sum(count) AS total, date_trunc('minute', max(counted_at) - interval '30 seconds') AS minute
      FROM import_process_count GROUP BY supplier_id
    ), staged AS MATERIALIZED (
      SELECT supplier_id, count(*) AS staged FROM import_process
      WHERE status IN ('PENDING', 'IN_PROGRESS') AND status = 'PENDING' AND enqueued_at = 'infinity'
      GROUP BY supplier_id
    ), state AS MATERIALIZED (
      SELECT supplier_id, total FROM import_process_rollup
    ), stored AS (
      INSERT INTO import_process_minute AS stored (supplier_id, minute, accepted)
      SELECT supplier_id, minute, counted.total - state.total FROM counted JOIN state USING (supplier_id)
      WHERE counted.total > state.total
      ON CONFLICT (supplier_id, minute) DO UPDATE SET accepted = stored.accepted + excluded.accepted
    )
    UPDATE import_process_rollup rollup SET total = counted.total, staged = coalesce(staged.staged, 0)
    FROM counted LEFT JOIN staged USING (supplier_id) WHERE rollup.supplier_id = counted.supplier_id`,
};

const lockCounts: Statement = {
  name: 'lock-rollup-of-counts',
  // A statement of its own, so that the next one sees what a concurrent rollup has committed.
  text: 'SELECT supplier_id FROM import_process_rollup ORDER BY supplier_id FOR UPDATE',
};

const countErrors: Statement = {
  name: 'count-import-process-errors',
  // Reads the index of processes with an error alone.
  text: `
    WITH counted AS MATERIALIZED (
      SELECT supplier_id, error_code, count(*) AS count, max(id) AS latest FROM import_process
      WHERE error_code IS NOT NULL GROUP BY supplier_id, error_code
    ), removed AS (
      DELETE FROM import_process_error_count stored WHERE NOT EXISTS (
        SELECT FROM counted WHERE counted.supplier_id = stored.supplier_id AND counted.error_code = stored.error_code)
    )
    INSERT INTO import_process_error_count (supplier_id, error_code, count, latest_process_id, counted_at)
    SELECT supplier_id, error_code, count, latest, now() FROM counted
    ON CONFLICT (supplier_id, error_code) DO UPDATE
    SET count = excluded.count, latest_process_id = excluded.latest_process_id, counted_at = excluded.counted_at`,
};

const removeOld: Statement = {
  name: 'remove-old-minutes',
  text: `
    DELETE FROM import_process_minute USING import_supplier supplier
    WHERE supplier_id = supplier.id AND minute < now() - interval '${KEPT_DAYS} days'`,
};

const readSteps: Statement = {
  name: 'read-steps-of-minutes',
  text: `
    SELECT extract(epoch FROM minute)::integer / $4::integer * $4::integer AS at, sum(accepted)::float8 AS accepted,
      sum(processed)::float8 AS processed, sum(errored)::float8 AS errored, sum(cancelled)::float8 AS cancelled,
      sum(latency_ms) AS latency_ms, sum(latency_count)::float8 AS latency_count
    FROM import_process_minute WHERE supplier_id = $1 AND minute >= $2 AND minute < $3 GROUP BY 1 ORDER BY 1`,
};

/** The rollup by minute (ADR 0222): written by the maintenance, read by the pages of operators. */
@Injectable()
export class ImportProcessRollupRepository {
  constructor(private readonly database: Database) {}

  /** The ids of all suppliers, each of which has a row of the rollup afterwards. */
  async prepare(): Promise<number[]> {
    await this.database.run(addSuppliers, []);
    return (await this.database.run<{ id: number }>(listSuppliers, [])).map(({ id }) => id);
  }

  /**
   * Adds the next events of a supplier to its minutes. Safe to repeat and to run concurrently.
   *
   * @param limit about the most events of the call: the events of one transaction are not divided
   * @returns the number of events that were added; fewer than `limit` if none is left
   */
  async rollUpEvents(supplierId: number, limit: number): Promise<number> {
    const [row] = await this.database.run<{ count: number }>(rollUpEvents, [supplierId, limit - 1]);
    return row?.count ?? 0;
  }

  /** Adds to the last minute what the counts of all suppliers have grown by. Safe to repeat. */
  async rollUpCounts(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.run(lockCounts, []);
      await transaction.run(rollUpCounts, []);
    });
  }

  /** Counts the processes of all suppliers by error code. */
  async countErrors(): Promise<void> {
    await this.database.run(countErrors, []);
  }

  /** Removes minutes that are older than a week. */
  async removeOld(): Promise<void> {
    await this.database.run(removeOld, []);
  }

  /**
   * The sums of the minutes of a supplier in each step in which anything happened, the oldest first.
   *
   * @param from the begin of a step
   * @param stepSeconds whole minutes; steps begin at its multiples since 1970
   */
  async read(
    supplierId: number,
    { from, to, stepSeconds }: { from: Date; to: Date; stepSeconds: number },
    executor: Executor = this.database,
  ): Promise<StoredMinute[]> {
    return executor.run<StoredMinute>(readSteps, [supplierId, from, to, stepSeconds]);
  }
}

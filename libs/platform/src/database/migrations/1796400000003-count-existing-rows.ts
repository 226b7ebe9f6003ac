import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEASURES = [
  'customers',
  'supply_points',
  'statements',
  'transactions',
  'opening_balance',
  'payment_instructions',
  'debts',
];
const COLUMNS = MEASURES.join(', ');
const NO_MEASURES = MEASURES.map(() => '0').join(', ');

/**
 * Counts the rows that were there before the triggers. It locks nothing: one statement, and so one snapshot, adds the
 * difference between the rows of the tables and what is counted already. Statements that commit later add their own changes.
 */
export class CountExistingRows1796400000003 implements MigrationInterface {
  readonly name = 'CountExistingRows1796400000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count, ${COLUMNS}, changed_at)
    SELECT supplier_id, submission_id, kind, error_code, sum(count),
      ${MEASURES.map((measure) => `sum(${measure})`).join(', ')}, '-infinity'
    FROM (
      SELECT supplier_id, coalesce(submission_id, 0) AS submission_id, import_process_kind(status, staging) AS kind,
        coalesce(error_code, '') AS error_code, count(*) AS count, ${MEASURES.map((measure) => `0 AS ${measure}`).join(', ')}
      FROM import_process GROUP BY 1, 2, 3, 4
      UNION ALL
      SELECT supplier_id, coalesce(submission_id, 0), 'FOLLOWED_UP', '', count(*), ${NO_MEASURES}
      FROM import_process_event WHERE event IN ('POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED') GROUP BY 1, 2
      UNION ALL
      SELECT (SELECT supplier_id FROM submission WHERE id = submission_id), submission_id,
        CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END, '',
        count(*), ${MEASURES.map((measure) => `sum(${measure})`).join(', ')}
      FROM submission_line GROUP BY submission_id, outcome
      UNION ALL
      SELECT supplier_id, submission_id, kind, error_code, -count,
        ${MEASURES.map((measure) => `-coalesce(${measure}, 0)`).join(', ')}
      FROM import_count_change
    ) AS counted
    GROUP BY 1, 2, 3, 4
    HAVING (sum(count), ${MEASURES.map((measure) => `sum(${measure})`).join(', ')}) <> (0, ${NO_MEASURES});
    `);
    // The minutes of the last week, in the same way. Their latency is the sample of release 1.0.0.
    await runner.query(`
    INSERT INTO import_throughput_minute (supplier_id, at, accepted, processed, errored, cancelled, latency_ms,
      latency_count)
    SELECT supplier_id, at, sum(accepted), sum(processed), sum(errored), sum(cancelled), sum(latency_ms),
      sum(latency_count)
    FROM (
      SELECT supplier_id, date_trunc('minute', created_at) AS at, count(*) AS accepted, 0 AS processed, 0 AS errored,
        0 AS cancelled, 0 AS latency_ms, 0 AS latency_count
      FROM import_process WHERE created_at > now() - interval '7 days' GROUP BY 1, 2
      UNION ALL
      SELECT supplier_id, date_trunc('minute', occurred_at), 0, count(*) FILTER (WHERE event = 'PROCESSED'),
        count(*) FILTER (WHERE event IN ('ERRORED', 'DRY_RUN_ERRORED')),
        count(*) FILTER (WHERE event IN ('CANCELLED', 'ROLLED_BACK')), 0, 0
      FROM import_process_event
      WHERE event IN ('PROCESSED', 'ERRORED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ROLLED_BACK')
        AND occurred_at > now() - interval '7 days'
      GROUP BY 1, 2
      UNION ALL
      SELECT supplier_id, minute, 0, 0, 0, 0, latency_ms, latency_count
      FROM import_process_minute
      WHERE minute < coalesce((SELECT min(changed_at) FROM import_count_change WHERE changed_at > '-infinity'), now())
      UNION ALL
      SELECT supplier_id, date_trunc('minute', changed_at), -sum(count),
        -coalesce(sum(count) FILTER (WHERE kind = 'PROCESSED' AND count > 0), 0),
        -coalesce(sum(count) FILTER (WHERE kind IN ('ERRORED', 'DRY_RUN_ERRORED') AND count > 0), 0),
        -coalesce(sum(count) FILTER (WHERE kind = 'CANCELLED' AND count > 0), 0), 0, 0
      FROM import_count_change
      WHERE changed_at > '-infinity' AND kind <> 'FOLLOWED_UP' AND kind NOT LIKE 'LINE%'
      GROUP BY 1, 2
    ) AS part
    GROUP BY 1, 2;
    `);
  }

  async down(): Promise<void> {
    // The tables go with the migration that has created them.
  }
}

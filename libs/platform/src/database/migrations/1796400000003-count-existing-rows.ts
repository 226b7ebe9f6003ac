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
    // The minutes before those that the triggers have counted.
    await runner.query(`
    INSERT INTO import_throughput_minute (supplier_id, at, accepted, processed, errored, cancelled, latency_ms,
      latency_count)
    SELECT supplier_id, minute, accepted, processed, errored, cancelled, latency_ms, latency_count FROM import_process_minute
    WHERE minute < date_trunc('minute', coalesce(
      (SELECT min(changed_at) FROM import_count_change WHERE changed_at > '-infinity'), now()))
    ON CONFLICT DO NOTHING;
    `);
  }

  async down(): Promise<void> {
    // The tables go with the migration that has created them.
  }
}

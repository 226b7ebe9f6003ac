/** Rows of changes, once for the supplier and once for the submission. */
const inScopes = (rows: string) => `
  SELECT supplier_id, 0::bigint AS submission_id, kind, error_code, count FROM ${rows}
  UNION ALL
  SELECT supplier_id, submission_id, kind, '', count FROM ${rows} WHERE submission_id <> 0`;

const DIFFERENCES = `
  WITH stored AS (
    SELECT supplier_id, coalesce(submission_id, 0) AS submission_id,
      CASE WHEN status = 'PENDING' AND staging = 'WAITING' THEN 'STAGED' ELSE status END AS kind,
      coalesce(error_code, '') AS error_code, 1 AS count
    FROM import_process
    UNION ALL
    SELECT supplier_id, coalesce(submission_id, 0), 'WARNED', '', 1
    FROM import_process WHERE warnings IS NOT NULL AND status IN ('PROCESSED', 'DRY_RUN_SUCCEEDED')
    UNION ALL
    SELECT supplier_id, coalesce(submission_id, 0), 'FOLLOWED_UP', '', 1
    FROM import_process_event WHERE event IN ('POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED')
    UNION ALL
    SELECT supplier_id, submission_id,
      CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END,
      CASE outcome WHEN 'refused' THEN coalesce(errors -> 0 ->> 'code', '') ELSE '' END, 1
    FROM submission_line JOIN submission ON submission.id = submission_id WHERE outcome IS DISTINCT FROM 'repeated'
  )
  SELECT supplier_id, submission_id, kind, error_code, sum(sign * count)::text AS difference FROM (
    SELECT 1 AS sign, supplier_id, submission_id, kind, error_code, count FROM import_count
    UNION ALL
    SELECT 1, * FROM (${inScopes('import_count_change')}) AS changes
    UNION ALL
    SELECT -1, * FROM (${inScopes('stored')}) AS rows
  ) AS compared
  GROUP BY supplier_id, submission_id, kind, error_code
  HAVING sum(sign * count) <> 0`;

/**
 * The counts that differ from the rows of the tables, in one snapshot: none, at any moment, also while accounts move.
 *
 * @param sql runs a statement
 */
export async function findCountDifferences(
  sql: <Row extends object>(text: string) => Promise<Row[]>,
): Promise<object[]> {
  return sql(DIFFERENCES);
}

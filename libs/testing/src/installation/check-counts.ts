import { LINE_MEASURES } from '../../../imports/src/submission-lines/measures';

const COLUMNS = LINE_MEASURES.join(', ');
const NONE = LINE_MEASURES.map(() => '0').join(', ');
const SUMS = LINE_MEASURES.map((measure) => `sum(${measure}) AS ${measure}`).join(', ');

/** Rows of changes, once for the supplier and once for the submission. */
const inScopes = (rows: string) => `
  SELECT supplier_id, 0::bigint AS submission_id, kind, error_code, count, ${COLUMNS} FROM ${rows}
  UNION ALL
  SELECT supplier_id, submission_id, kind, '', count, ${COLUMNS} FROM ${rows} WHERE submission_id <> 0`;

const DIFFERENCES = `
  WITH counted AS (
    SELECT supplier_id, submission_id, kind, error_code, count, ${LINE_MEASURES.map((one) => `coalesce(${one}, 0) AS ${one}`).join(', ')}
    FROM import_count_change
  ), stored AS (
    SELECT supplier_id, coalesce(submission_id, 0) AS submission_id,
      CASE WHEN status = 'PENDING' AND staging = 'WAITING' THEN 'STAGED' ELSE status END AS kind,
      coalesce(error_code, '') AS error_code, 1 AS count, ${LINE_MEASURES.map((one) => `0 AS ${one}`).join(', ')}
    FROM import_process
    UNION ALL
    SELECT supplier_id, coalesce(submission_id, 0), 'WARNED', '', 1, ${NONE}
    FROM import_process WHERE warnings IS NOT NULL AND status IN ('PROCESSED', 'DRY_RUN_SUCCEEDED')
    UNION ALL
    SELECT supplier_id, coalesce(submission_id, 0), 'FOLLOWED_UP', '', 1, ${NONE}
    FROM import_process_event WHERE event IN ('POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED')
    UNION ALL
    SELECT supplier_id, submission_id,
      CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END,
      CASE outcome WHEN 'refused' THEN coalesce(errors -> 0 ->> 'code', '') ELSE '' END, 1,
      ${COLUMNS}
    FROM submission_line JOIN submission ON submission.id = submission_id WHERE outcome IS DISTINCT FROM 'repeated'
  )
  SELECT supplier_id, submission_id, kind, error_code, sum(sign * count)::text AS difference, ${SUMS} FROM (
    SELECT 1 AS sign, supplier_id, submission_id, kind, error_code, count, ${COLUMNS} FROM import_count
    UNION ALL
    SELECT 1, * FROM (${inScopes('counted')}) AS changes
    UNION ALL
    SELECT -1, supplier_id, submission_id, kind, error_code, count, ${LINE_MEASURES.map((one) => `-${one}`).join(', ')}
    FROM (${inScopes('stored')}) AS rows
  ) AS compared
  GROUP BY supplier_id, submission_id, kind, error_code
  HAVING sum(sign * count) <> 0 OR (${LINE_MEASURES.map((one) => `sum(${one})`).join(', ')}) <> (${NONE})`;

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

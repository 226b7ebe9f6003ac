import { LINE_MEASURES } from '../../../imports/src/submission-lines/measures';

/** The measures of lines, and how many lines have all of them. */
const MEASURES = [...LINE_MEASURES, 'measured'];
const OF_LINE = MEASURES.map((measure) =>
  measure === 'measured' ? '(readings IS NOT NULL)::integer' : `coalesce(${measure}, 0)`,
).join(', ');
const COLUMNS = MEASURES.join(', ');
const NONE = MEASURES.map(() => '0').join(', ');
const SUMS = MEASURES.map((measure) => `sum(${measure}) AS ${measure}`).join(', ');

/** Rows of changes, once for the supplier and once for the submission. */
const inScopes = (rows: string) => `
  SELECT supplier_id, 0::bigint AS submission_id, kind, error_code, count, ${COLUMNS} FROM ${rows}
  UNION ALL
  SELECT supplier_id, submission_id, kind, '', count, ${COLUMNS} FROM ${rows} WHERE submission_id <> 0`;

const DIFFERENCES = `
  WITH counted AS (
    SELECT supplier_id, submission_id, kind, error_code, count, ${MEASURES.map((one) => `coalesce(${one}, 0) AS ${one}`).join(', ')}
    FROM import_count_change
  ), stored AS (
    SELECT supplier_id, coalesce(submission_id, 0) AS submission_id,
      CASE WHEN status = 'PENDING' AND staging = 'WAITING' THEN 'STAGED' ELSE status END AS kind,
      coalesce(error_code, '') AS error_code, 1 AS count, ${MEASURES.map((one) => `0 AS ${one}`).join(', ')}
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
      ${OF_LINE}
    FROM submission_line JOIN submission ON submission.id = submission_id WHERE outcome IS DISTINCT FROM 'repeated'
  )
  SELECT supplier_id, submission_id, kind, error_code, sum(sign * count)::text AS difference, ${SUMS} FROM (
    SELECT 1 AS sign, supplier_id, submission_id, kind, error_code, count, ${COLUMNS} FROM import_count
    UNION ALL
    SELECT 1, * FROM (${inScopes('counted')}) AS changes
    UNION ALL
    SELECT -1, supplier_id, submission_id, kind, error_code, count, ${MEASURES.map((one) => `-${one}`).join(', ')}
    FROM (${inScopes('stored')}) AS rows
  ) AS compared
  GROUP BY supplier_id, submission_id, kind, error_code
  HAVING sum(sign * count) <> 0 OR (${MEASURES.map((one) => `sum(${one})`).join(', ')}) <> (${NONE})`;

/**
 * The counts that differ from the rows of the tables, in one snapshot: none, at any moment, also while accounts move.
 *
 * @param sql runs a statement; a database of a release without counts has no differences
 */
export async function findCountDifferences(
  sql: <Row extends object>(text: string) => Promise<Row[]>,
): Promise<object[]> {
  const [found] = await sql<{ exists: boolean }>(`SELECT to_regclass('import_count') IS NOT NULL AS exists`);
  return found?.exists ? sql(DIFFERENCES) : [];
}

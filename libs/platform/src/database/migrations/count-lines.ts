const KIND = `CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END`;
const SUPPLIER = '(SELECT supplier_id FROM submission WHERE id = submission_id)';

/**
 * The SQL of the trigger function that counts lines, for migrations. It must write the same for the same arguments.
 *
 * @param columns the measures
 * @param isCounted a WHERE clause that selects the rows of a transition table; empty: all
 * @param measured SQL that is 1 for a line with all measures and else 0; undefined before lines without some of them
 * @param code SQL of the error code by which a line is counted; undefined before lines were counted by it
 */
export function countLines(
  columns: readonly string[],
  isCounted: string,
  measured?: string,
  code?: string,
): string {
  const kinds = code === undefined ? 'kind' : 'kind, error_code';
  const kindsOf = code === undefined ? `${KIND} AS kind` : `${KIND} AS kind, ${code} AS error_code`;
  const sums = [
    ...columns.map((column) => [column, column] as const),
    ...(measured === undefined ? [] : [['measured', measured] as const]),
  ];
  const names = sums.map(([name]) => name).join(', ');
  const sumsOf = (table: string, sign: '' | '-') => `
        INSERT INTO import_count_change (supplier_id, submission_id, ${kinds}, count, ${names})
        SELECT ${SUPPLIER}, submission_id, ${kinds}, ${sign}count(*),
          ${sums.map(([, value]) => `${sign}sum(${value})`).join(', ')}
        FROM (SELECT ${kindsOf}, * FROM ${table}${isCounted}) AS line GROUP BY submission_id, ${kinds};`;
  const valuesOf = (table: string, sign: 1 | -1) => `
            SELECT ${sign} AS sign, ${kindsOf}, submission_id,
              ${sums.map(([name, value]) => `coalesce(${value}, 0) AS ${name}`).join(', ')}
            FROM ${table}${isCounted}`;
  return `
    CREATE OR REPLACE FUNCTION count_submission_lines() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN${sumsOf('added', '')}
      ELSIF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        INSERT INTO import_count_change (supplier_id, submission_id, ${kinds}, count, ${names})
        SELECT ${SUPPLIER}, * FROM (
          SELECT submission_id, ${kinds}, sum(sign) AS count,
            ${sums.map(([name]) => `sum(sign * ${name}) AS ${name}`).join(', ')}
          FROM (${valuesOf('added', 1)}
            UNION ALL${valuesOf('removed', -1)}
          ) AS line GROUP BY submission_id, ${kinds}
        ) AS changed
        WHERE (count, ${names}) <> (0, ${sums.map(() => '0').join(', ')});
      ELSE${sumsOf('removed', '-')}
      END IF;
      RETURN NULL;
    END $$;`;
}

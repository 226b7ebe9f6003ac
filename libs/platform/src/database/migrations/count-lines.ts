const KIND = `CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END`;
const SUPPLIER = '(SELECT supplier_id FROM submission WHERE id = submission_id)';

/**
 * The SQL of the trigger function that counts lines, for migrations. It must write the same for the same arguments.
 *
 * @param columns the measures
 * @param isCounted a WHERE clause that selects the rows of a transition table; empty: all
 * @param measured SQL that is 1 for a line with all measures and else 0; undefined before lines without some of them
 */
export function countLines(columns: readonly string[], isCounted: string, measured?: string): string {
  const sums = [
    ...columns.map((column) => [column, column] as const),
    ...(measured === undefined ? [] : [['measured', measured] as const]),
  ];
  const names = sums.map(([name]) => name).join(', ');
  const sumsOf = (table: string, sign: '' | '-') => `
        INSERT INTO import_count_change (supplier_id, submission_id, kind, count, ${names})
        SELECT ${SUPPLIER}, submission_id, kind, ${sign}count(*),
          ${sums.map(([, value]) => `${sign}sum(${value})`).join(', ')}
        FROM (SELECT ${KIND} AS kind, * FROM ${table}${isCounted}) AS line GROUP BY submission_id, kind;`;
  const valuesOf = (table: string, sign: 1 | -1) => `
            SELECT ${sign} AS sign, ${KIND} AS kind, submission_id,
              ${sums.map(([name, value]) => `coalesce(${value}, 0) AS ${name}`).join(', ')}
            FROM ${table}${isCounted}`;
  return `
    CREATE OR REPLACE FUNCTION count_submission_lines() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN${sumsOf('added', '')}
      ELSIF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        INSERT INTO import_count_change (supplier_id, submission_id, kind, count, ${names})
        SELECT ${SUPPLIER}, * FROM (
          SELECT submission_id, kind, sum(sign) AS count,
            ${sums.map(([name]) => `sum(sign * ${name}) AS ${name}`).join(', ')}
          FROM (${valuesOf('added', 1)}
            UNION ALL${valuesOf('removed', -1)}
          ) AS line GROUP BY submission_id, kind
        ) AS changed
        WHERE (count, ${names}) <> (0, ${sums.map(() => '0').join(', ')});
      ELSE${sumsOf('removed', '-')}
      END IF;
      RETURN NULL;
    END $$;`;
}

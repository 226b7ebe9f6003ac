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
const KIND = `CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END`;
const SUPPLIER = '(SELECT supplier_id FROM submission WHERE id = submission_id)';

/** Sums of the rows of a transition table, with a sign. */
const sumsOf = (table: string, sign: '' | '-') => `
        INSERT INTO import_count_change (supplier_id, submission_id, kind, count, ${COLUMNS})
        SELECT ${SUPPLIER}, submission_id, kind, ${sign}count(*),
          ${MEASURES.map((measure) => `${sign}sum(${measure})`).join(', ')}
        FROM (SELECT ${KIND} AS kind, * FROM ${table}) AS line GROUP BY submission_id, kind;`;

/** The counts and measures of lines of submissions, see {@link ImportCounts1796400000000}. */
export class CountSubmissionLines1796400000001 implements MigrationInterface {
  readonly name = 'CountSubmissionLines1796400000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    CREATE FUNCTION count_submission_lines() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN${sumsOf('added', '')}
      ELSIF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        INSERT INTO import_count_change (supplier_id, submission_id, kind, count, ${COLUMNS})
        SELECT ${SUPPLIER}, * FROM (
          SELECT submission_id, kind, sum(sign) AS count,
            ${MEASURES.map((measure) => `sum(sign * ${measure}) AS ${measure}`).join(', ')}
          FROM (
            SELECT 1 AS sign, ${KIND} AS kind, submission_id, ${COLUMNS} FROM added
            UNION ALL
            SELECT -1, ${KIND}, submission_id, ${COLUMNS} FROM removed
          ) AS line GROUP BY submission_id, kind
        ) AS changed
        WHERE (count, ${COLUMNS}) <> (0, ${MEASURES.map(() => '0').join(', ')});
      ELSE${sumsOf('removed', '-')}
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER submission_line_added_count AFTER INSERT ON submission_line
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_submission_lines();
    CREATE TRIGGER submission_line_changed_count AFTER UPDATE ON submission_line
      REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_submission_lines();
    CREATE TRIGGER submission_line_removed_count AFTER DELETE ON submission_line
      REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_submission_lines();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    DROP TRIGGER submission_line_removed_count ON submission_line;
    DROP TRIGGER submission_line_changed_count ON submission_line;
    DROP TRIGGER submission_line_added_count ON submission_line;
    DROP FUNCTION count_submission_lines;
    `);
  }
}

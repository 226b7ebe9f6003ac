import type { MigrationInterface, QueryRunner } from 'typeorm';

const LATER_MEASURES = ['readings', 'statement_total', 'opening_debits', 'opening_credits', 'documents'];
const MEASURES = [
  'customers',
  'supply_points',
  'statements',
  'transactions',
  'opening_balance',
  'payment_instructions',
  'debts',
  ...LATER_MEASURES,
];
const COLUMNS = [...MEASURES, 'measured'];
const NAMES = COLUMNS.join(', ');
const SUPPLIER = '(SELECT supplier_id FROM submission WHERE id = submission_id)';

/** The counted rows of a transition table. */
const countedOf = (table: string) => `(
          SELECT *, (readings IS NOT NULL)::integer AS measured,
            CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' ELSE 'LINE' END AS kind,
            CASE outcome WHEN 'refused' THEN coalesce(errors -> 0 ->> 'code', '') ELSE '' END AS error_code
          FROM ${table} WHERE outcome IS DISTINCT FROM 'repeated'
        ) AS line`;
const sumsOf = (table: string, sign: '' | '-') => `
        INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count, ${NAMES})
        SELECT ${SUPPLIER}, submission_id, kind, error_code, ${sign}count(*),
          ${COLUMNS.map((column) => `${sign}sum(${column})`).join(', ')}
        FROM ${countedOf(table)} GROUP BY submission_id, kind, error_code;`;
const valuesOf = (table: string, sign: 1 | -1) => `
            SELECT ${sign} AS sign, submission_id, kind, error_code,
              ${COLUMNS.map((column) => `coalesce(${column}, 0) AS ${column}`).join(', ')}
            FROM ${countedOf(table)}`;

/**
 * The counts and measures of lines of submissions, see {@link ImportCounts1796400000000}, and columns of a line:
 *
 * - `refused_supplier_id`, by which the quota of refused lines is counted.
 * - `payload_digest`, and the outcome `repeated` of a line that repeats the account of another line of its submission. It is
 *   stored for the results and not counted. The key of a line without a process tells which account it is about, so that
 *   each account has at most one of them.
 * - more measures. They are null for lines of release 1.0.0, whose payloads may have been erased: such a line is not among
 *   the `measured` ones.
 */
export class CountSubmissionLines1796400000001 implements MigrationInterface {
  readonly name = 'CountSubmissionLines1796400000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ALTER TABLE submission_line ADD refused_supplier_id integer, ADD payload_digest bytea, ADD readings integer,
      ADD statement_total numeric(20), ADD opening_debits numeric(20, 2), ADD opening_credits numeric(20, 2),
      ADD documents integer,
      DROP CONSTRAINT submission_line_outcome_check,
      ADD CONSTRAINT submission_line_outcome_check CHECK (outcome IN ('refused', 'repeated', 'cancelled')) NOT VALID,
      DROP CONSTRAINT submission_line_check1,
      ADD CONSTRAINT submission_line_check1
        CHECK (CASE WHEN refused_key IS NULL THEN coalesce(outcome, 'cancelled') = 'cancelled' ELSE outcome IS NOT NULL END)
        NOT VALID;
    CREATE FUNCTION count_submission_lines() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN${sumsOf('added', '')}
      ELSIF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count, ${NAMES})
        SELECT ${SUPPLIER}, * FROM (
          SELECT submission_id, kind, error_code, sum(sign) AS count,
            ${COLUMNS.map((column) => `sum(sign * ${column}) AS ${column}`).join(', ')}
          FROM (${valuesOf('added', 1)}
            UNION ALL${valuesOf('removed', -1)}
          ) AS line GROUP BY submission_id, kind, error_code
        ) AS changed
        WHERE (count, ${NAMES}) <> (0, ${COLUMNS.map(() => '0').join(', ')});
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
    DELETE FROM submission_line WHERE outcome = 'repeated';
    UPDATE submission_line SET refused_key = NULL WHERE outcome = 'cancelled' AND refused_key IS NOT NULL;
    `);
    await runner.query(`
    ALTER TABLE submission_line DROP refused_supplier_id, DROP payload_digest,
      ${LATER_MEASURES.map((measure) => `DROP ${measure}`).join(', ')},
      DROP CONSTRAINT submission_line_outcome_check,
      ADD CONSTRAINT submission_line_outcome_check CHECK (outcome IN ('refused', 'cancelled')) NOT VALID,
      DROP CONSTRAINT submission_line_check1,
      ADD CONSTRAINT submission_line_check1 CHECK ((outcome = 'refused') = (refused_key IS NOT NULL)) NOT VALID;
    `);
  }
}

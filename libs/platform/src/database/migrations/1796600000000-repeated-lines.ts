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

/** The trigger function that counts lines, of the rows of transition tables that `isCounted` selects. */
const countLines = (isCounted: string) => {
  const sumsOf = (table: string, sign: '' | '-') => `
        INSERT INTO import_count_change (supplier_id, submission_id, kind, count, ${COLUMNS})
        SELECT ${SUPPLIER}, submission_id, kind, ${sign}count(*),
          ${MEASURES.map((measure) => `${sign}sum(${measure})`).join(', ')}
        FROM (SELECT ${KIND} AS kind, * FROM ${table}${isCounted}) AS line GROUP BY submission_id, kind;`;
  return `
    CREATE OR REPLACE FUNCTION count_submission_lines() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN${sumsOf('added', '')}
      ELSIF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        INSERT INTO import_count_change (supplier_id, submission_id, kind, count, ${COLUMNS})
        SELECT ${SUPPLIER}, * FROM (
          SELECT submission_id, kind, sum(sign) AS count,
            ${MEASURES.map((measure) => `sum(sign * ${measure}) AS ${measure}`).join(', ')}
          FROM (
            SELECT 1 AS sign, ${KIND} AS kind, submission_id, ${COLUMNS} FROM added${isCounted}
            UNION ALL
            SELECT -1, ${KIND}, submission_id, ${COLUMNS} FROM removed${isCounted}
          ) AS line GROUP BY submission_id, kind
        ) AS changed
        WHERE (count, ${COLUMNS}) <> (0, ${MEASURES.map(() => '0').join(', ')});
      ELSE${sumsOf('removed', '-')}
      END IF;
      RETURN NULL;
    END $$;`;
};

/**
 * Lines that repeat the account of another line of their submission. They are stored for the results and not counted. The
 * key of a line without a process tells which account it is about, so that each account has at most one of them.
 */
export class RepeatedLines1796600000000 implements MigrationInterface {
  readonly name = 'RepeatedLines1796600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ALTER TABLE submission_line ADD payload_digest bytea,
      DROP CONSTRAINT submission_line_outcome_check,
      ADD CONSTRAINT submission_line_outcome_check CHECK (outcome IN ('refused', 'repeated', 'cancelled')) NOT VALID,
      DROP CONSTRAINT submission_line_check1,
      ADD CONSTRAINT submission_line_check1
        CHECK (CASE WHEN refused_key IS NULL THEN coalesce(outcome, 'cancelled') = 'cancelled' ELSE outcome IS NOT NULL END)
        NOT VALID;
    ${countLines(` WHERE outcome IS DISTINCT FROM 'repeated'`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    DELETE FROM submission_line WHERE outcome = 'repeated';
    UPDATE submission_line SET refused_key = NULL WHERE outcome = 'cancelled' AND refused_key IS NOT NULL;
    `);
    await runner.query(`
    ${countLines('')}
    ALTER TABLE submission_line DROP payload_digest,
      DROP CONSTRAINT submission_line_outcome_check,
      ADD CONSTRAINT submission_line_outcome_check CHECK (outcome IN ('refused', 'cancelled')) NOT VALID,
      DROP CONSTRAINT submission_line_check1,
      ADD CONSTRAINT submission_line_check1 CHECK ((outcome = 'refused') = (refused_key IS NOT NULL)) NOT VALID;
    `);
  }
}

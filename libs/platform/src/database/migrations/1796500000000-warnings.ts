import type { MigrationInterface, QueryRunner } from 'typeorm';

const INSERT = `INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count`;
const KIND = `coalesce(submission_id, 0), import_process_kind(status, staging), coalesce(error_code, '')`;
const WAITED = `CASE WHEN status IN ('PENDING', 'IN_PROGRESS') AND (SELECT status FROM added LIMIT 1) = 'PROCESSED'
              THEN date_part('epoch', now() - latest_event_at) * 1000 END`;
const WARNED = `warnings IS NOT NULL AND status IN ('PROCESSED', 'DRY_RUN_SUCCEEDED')`;

/** The function of the triggers that count processes, see {@link ImportCounts1796400000000}. */
const countProcesses = (warnedRows: (rows: string, sign: string, columns: string) => string) => `
    CREATE OR REPLACE FUNCTION count_import_processes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A process is inserted without warnings.
      IF TG_OP = 'INSERT' THEN
        ${INSERT})
        SELECT supplier_id, ${KIND}, count(*) FROM added GROUP BY 1, 2, 3, 4;
      ELSIF TG_OP = 'UPDATE' THEN
        -- The statement that stores accounts updates none in most cases.
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        ${INSERT}, waited_ms)
        SELECT supplier_id, submission_id, kind, error_code, sum(sign), sum(waited_ms)
        FROM (
          SELECT supplier_id, ${KIND}, 1, NULL::double precision FROM added
          UNION ALL
          SELECT supplier_id, ${KIND}, -1, ${WAITED} FROM removed
          ${warnedRows('added', '1', ', NULL::double precision')}
          ${warnedRows('removed', '-1', ', NULL::double precision')}
        ) AS changed (supplier_id, submission_id, kind, error_code, sign, waited_ms)
        GROUP BY 1, 2, 3, 4 HAVING sum(sign) <> 0;
      ELSE
        ${INSERT})
        SELECT supplier_id, submission_id, kind, error_code, sum(sign) FROM (
          SELECT supplier_id, ${KIND}, -1 FROM removed
          ${warnedRows('removed', '-1', '')}
        ) AS changed (supplier_id, submission_id, kind, error_code, sign)
        GROUP BY 1, 2, 3, 4;
      END IF;
      RETURN NULL;
    END $$;`;

/**
 * Warnings about an account, stored with the outcome of its process and counted as WARNED. No row of a release before has
 * any.
 */
export class Warnings1796500000000 implements MigrationInterface {
  readonly name = 'Warnings1796500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ALTER TABLE import_process ADD warnings json;
    ${countProcesses(
      (rows, sign, columns) =>
        `UNION ALL SELECT supplier_id, coalesce(submission_id, 0), 'WARNED', '', ${sign}${columns} FROM ${rows} WHERE ${WARNED}`,
    )}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    ${countProcesses(() => '')}
    ALTER TABLE import_process DROP warnings;
    DELETE FROM import_count WHERE kind = 'WARNED';
    DELETE FROM import_count_change WHERE kind = 'WARNED';
    `);
  }
}

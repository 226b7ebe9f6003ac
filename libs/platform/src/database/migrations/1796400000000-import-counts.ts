import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts of import processes and of lines of submissions, which every writing transaction keeps: a trigger adds what a
 * statement has changed, and reports it as one row for each count.
 *
 * A trigger needs a lock that waits for the writers of its table, so each table has a migration of its own: one that held
 * the lock of a table while it waited for another could block a writer of both.
 */
export class ImportCounts1796400000000 implements MigrationInterface {
  readonly name = 'ImportCounts1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    CREATE TABLE import_count (
      supplier_id integer NOT NULL REFERENCES import_supplier,
      -- 0 for the sums of the supplier.
      submission_id bigint NOT NULL,
      kind text NOT NULL,
      -- Empty for everything but errors, and in the counts of submissions.
      error_code text NOT NULL,
      count bigint NOT NULL,
      -- The measures of lines, which processes do not have.
      customers bigint NOT NULL,
      supply_points bigint NOT NULL,
      statements bigint NOT NULL,
      transactions bigint NOT NULL,
      opening_balance numeric NOT NULL,
      payment_instructions bigint NOT NULL,
      debts bigint NOT NULL,
      PRIMARY KEY (supplier_id, submission_id, kind, error_code)
    );

    -- What statements have changed and import_count does not have yet. No foreign keys: their rows exist, because the
    -- statement refers to them, and checking them again would cost each statement.
    CREATE TABLE import_count_change (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      supplier_id integer NOT NULL,
      submission_id bigint NOT NULL,
      kind text NOT NULL,
      error_code text NOT NULL DEFAULT '',
      count bigint NOT NULL,
      -- For how long accounts have waited that were created, in the row that subtracts them from those that wait.
      waited_ms double precision,
      changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      customers bigint,
      supply_points bigint,
      statements bigint,
      transactions bigint,
      opening_balance numeric,
      payment_instructions bigint,
      debts bigint
    );

    -- What happened within a second, for the present rates. Kept for minutes.
    CREATE TABLE import_throughput_second (
      at timestamptz NOT NULL,
      supplier_id integer NOT NULL REFERENCES import_supplier,
      -- 0 for accounts of no submission.
      submission_id bigint NOT NULL,
      processed bigint NOT NULL,
      ended bigint NOT NULL,
      PRIMARY KEY (at, supplier_id, submission_id)
    );

    -- What happened within a minute. Kept for a week.
    CREATE TABLE import_throughput_minute (
      supplier_id integer NOT NULL REFERENCES import_supplier,
      at timestamptz NOT NULL,
      accepted bigint NOT NULL,
      processed bigint NOT NULL,
      errored bigint NOT NULL,
      cancelled bigint NOT NULL,
      latency_ms double precision NOT NULL,
      latency_count bigint NOT NULL,
      PRIMARY KEY (supplier_id, at)
    );

    -- The programs of the previous release write through the triggers before npm run migrate grants its rights.
    DO $$
    DECLARE writer regrole;
    BEGIN
      FOR writer IN
        SELECT DISTINCT grantee FROM pg_class CROSS JOIN aclexplode(relacl)
        WHERE oid = 'import_process'::regclass AND privilege_type = 'INSERT' AND grantee <> relowner AND grantee <> 0
      LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON import_count, import_count_change,
          import_throughput_second, import_throughput_minute TO %s', writer);
      END LOOP;
    END $$;

    -- The kind of a process: its status, or STAGED while it waits for a request to process it.
    CREATE FUNCTION import_process_kind(status text, staging text) RETURNS text LANGUAGE sql IMMUTABLE
      RETURN CASE WHEN status = 'PENDING' AND staging = 'WAITING' THEN 'STAGED' ELSE status END;

    CREATE FUNCTION count_import_processes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count)
        SELECT supplier_id, coalesce(submission_id, 0), import_process_kind(status, staging), coalesce(error_code, ''),
          count(*)
        FROM added GROUP BY 1, 2, 3, 4;
      ELSIF TG_OP = 'UPDATE' THEN
        -- The statement that stores accounts updates none in most cases.
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count, waited_ms)
        SELECT supplier_id, coalesce(submission_id, 0), import_process_kind(status, staging), coalesce(error_code, ''),
          sum(sign), sum(waited_ms)
        FROM (
          SELECT 1 AS sign, supplier_id, submission_id, status, staging, error_code, NULL AS waited_ms FROM added
          UNION ALL
          SELECT -1, supplier_id, submission_id, status, staging, error_code,
            CASE WHEN status IN ('PENDING', 'IN_PROGRESS') AND (SELECT status FROM added LIMIT 1) = 'PROCESSED'
              THEN date_part('epoch', now() - latest_event_at) * 1000 END
          FROM removed
        ) AS changed
        GROUP BY 1, 2, 3, 4 HAVING sum(sign) <> 0;
      ELSE
        INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count)
        SELECT supplier_id, coalesce(submission_id, 0), import_process_kind(status, staging), coalesce(error_code, ''),
          -count(*)
        FROM removed GROUP BY 1, 2, 3, 4;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER import_process_added_count AFTER INSERT ON import_process
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_import_processes();
    CREATE TRIGGER import_process_changed_count AFTER UPDATE ON import_process
      REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_import_processes();
    CREATE TRIGGER import_process_removed_count AFTER DELETE ON import_process
      REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_import_processes();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    DROP TRIGGER import_process_removed_count ON import_process;
    DROP TRIGGER import_process_changed_count ON import_process;
    DROP TRIGGER import_process_added_count ON import_process;
    DROP FUNCTION count_import_processes, import_process_kind;
    DROP TABLE import_throughput_minute, import_throughput_second, import_count_change, import_count;
    `);
  }
}

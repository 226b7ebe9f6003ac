const SUPPLIER = '(SELECT supplier_id FROM submission WHERE id = submission_id)';
const LINE_KIND = `CASE outcome WHEN 'refused' THEN 'LINE_REFUSED' WHEN 'cancelled' THEN 'LINE_TAKEN_OVER' WHEN 'unchanged' THEN 'LINE_UNCHANGED'
    WHEN 'correction' THEN 'LINE_CORRECTION' ELSE 'LINE' END AS kind`;
const LINE_CODE = `CASE outcome WHEN 'refused' THEN coalesce(errors -> 0 ->> 'code', '') ELSE '' END AS error_code`;

const PROCESS_KEY = `supplier_id, coalesce(submission_id, 0), import_process_kind(status, staging), coalesce(error_code, '')`;
const WARNED_KEY = `supplier_id, coalesce(submission_id, 0), 'WARNED', ''`;
const IS_WARNED = `warnings IS NOT NULL AND status IN ('PROCESSED', 'DRY_RUN_SUCCEEDED')`;

const LINE_KEY = 'submission_id, kind, error_code';
const linesOf = (table: string, sign: 1 | -1) => `
        SELECT ${SUPPLIER} AS supplier_id, submission_id, ${LINE_KIND}, ${LINE_CODE}, ${sign} AS sign
        FROM ${table} WHERE outcome IS DISTINCT FROM 'repeated'`;
const countLines = (lines: string) => `
      INSERT INTO import_count_change (supplier_id, ${LINE_KEY}, count)
      SELECT supplier_id, ${LINE_KEY}, sum(sign) FROM (${lines}
      ) AS line GROUP BY supplier_id, ${LINE_KEY} HAVING sum(sign) <> 0;`;

const CORRECTION_KIND = `CASE WHEN is_dry_run AND status = 'SUCCEEDED' THEN 'CORRECTION_REHEARSED' ELSE 'CORRECTION_' || status END`;

/**
 * Counts of import processes and of lines of submissions, which every writing transaction keeps: a trigger adds what a
 * statement has changed, and reports it as one row for each count.
 */
export const counts = `
  CREATE TABLE import_count (
    supplier_id integer NOT NULL REFERENCES import_supplier,
    -- 0 for the sums of the supplier.
    submission_id bigint NOT NULL,
    kind text NOT NULL,
    -- Empty for everything but errors, and in the counts of submissions.
    error_code text NOT NULL,
    count bigint NOT NULL,
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
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
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

  -- The kind of a process: its status, or STAGED while it waits for a request to process it.
  CREATE FUNCTION import_process_kind(status text, staging text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN status = 'PENDING' AND staging = 'WAITING' THEN 'STAGED' ELSE status END;

  CREATE FUNCTION count_import_processes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- A process is inserted without warnings.
    IF TG_OP = 'INSERT' THEN
      INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count)
      SELECT ${PROCESS_KEY}, count(*) FROM added GROUP BY 1, 2, 3, 4;
    ELSIF TG_OP = 'UPDATE' THEN
      -- The statement that stores accounts updates none in most cases.
      IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
      INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count, waited_ms)
      SELECT supplier_id, submission_id, kind, error_code, sum(sign), sum(waited_ms)
      FROM (
        SELECT ${PROCESS_KEY}, 1, NULL::double precision FROM added
        UNION ALL
        SELECT ${PROCESS_KEY}, -1,
          CASE WHEN status IN ('PENDING', 'IN_PROGRESS') AND (SELECT status FROM added LIMIT 1) = 'PROCESSED'
            THEN date_part('epoch', now() - latest_event_at) * 1000 END
        FROM removed
        UNION ALL
        SELECT ${WARNED_KEY}, 1, NULL::double precision FROM added WHERE ${IS_WARNED}
        UNION ALL
        SELECT ${WARNED_KEY}, -1, NULL::double precision FROM removed WHERE ${IS_WARNED}
      ) AS changed (supplier_id, submission_id, kind, error_code, sign, waited_ms)
      GROUP BY 1, 2, 3, 4 HAVING sum(sign) <> 0;
    ELSE
      INSERT INTO import_count_change (supplier_id, submission_id, kind, error_code, count)
      SELECT supplier_id, submission_id, kind, error_code, sum(sign) FROM (
        SELECT ${PROCESS_KEY}, -1 FROM removed
        UNION ALL
        SELECT ${WARNED_KEY}, -1 FROM removed WHERE ${IS_WARNED}
      ) AS changed (supplier_id, submission_id, kind, error_code, sign)
      GROUP BY 1, 2, 3, 4;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER import_process_added_count AFTER INSERT ON import_process
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_import_processes();
  CREATE TRIGGER import_process_changed_count AFTER UPDATE ON import_process
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_import_processes();
  CREATE TRIGGER import_process_removed_count AFTER DELETE ON import_process
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_import_processes();

  CREATE FUNCTION count_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO import_count_change (supplier_id, submission_id, kind, count)
      SELECT supplier_id, coalesce(submission_id, 0), ${CORRECTION_KIND}, count(*) FROM added GROUP BY 1, 2, 3;
    ELSE
      INSERT INTO import_count_change (supplier_id, submission_id, kind, count)
      SELECT supplier_id, submission_id, kind, sum(sign) FROM (
        SELECT supplier_id, coalesce(submission_id, 0), ${CORRECTION_KIND}, 1 FROM added
        UNION ALL
        SELECT supplier_id, coalesce(submission_id, 0), ${CORRECTION_KIND}, -1 FROM removed
      ) AS changed (supplier_id, submission_id, kind, sign)
      GROUP BY 1, 2, 3 HAVING sum(sign) <> 0;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER import_process_correction_added_count AFTER INSERT ON import_process_correction
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_corrections();
  CREATE TRIGGER import_process_correction_changed_count AFTER UPDATE ON import_process_correction
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_corrections();

  -- Refused lines are counted by the code of their first error.
  CREATE FUNCTION count_submission_lines() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN${countLines(linesOf('added', 1))}
    ELSIF TG_OP = 'UPDATE' THEN
      IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;${countLines(`${linesOf('added', 1)}
        UNION ALL${linesOf('removed', -1)}`)}
    ELSE${countLines(linesOf('removed', -1))}
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER submission_line_added_count AFTER INSERT ON submission_line
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_submission_lines();
  CREATE TRIGGER submission_line_changed_count AFTER UPDATE ON submission_line
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_submission_lines();
  CREATE TRIGGER submission_line_removed_count AFTER DELETE ON submission_line
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_submission_lines();

  CREATE FUNCTION count_additions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO import_count_change (supplier_id, submission_id, kind, count)
      SELECT supplier_id, submission_id, 'ADDITION_' || status, count(*) FROM added GROUP BY 1, 2, 3;
    ELSE
      INSERT INTO import_count_change (supplier_id, submission_id, kind, count)
      SELECT supplier_id, submission_id, 'ADDITION_' || status, sum(sign) FROM (
        SELECT supplier_id, submission_id, status, 1 AS sign FROM added
        UNION ALL
        SELECT supplier_id, submission_id, status, -1 FROM removed
      ) AS changed GROUP BY 1, 2, 3 HAVING sum(sign) <> 0;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER submission_addition_added_count AFTER INSERT ON submission_addition
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_additions();
  CREATE TRIGGER submission_addition_changed_count AFTER UPDATE ON submission_addition
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_additions();

  -- The accounts whose documents and e-mail have come to their end. One row at a time: these events are recorded one by
  -- one, and the condition costs all others next to nothing.
  CREATE FUNCTION count_follow_up() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO import_count_change (supplier_id, submission_id, kind, count)
    VALUES (NEW.supplier_id, coalesce(NEW.submission_id, 0), 'FOLLOWED_UP', 1);
    RETURN NULL;
  END $$;
  CREATE TRIGGER import_process_event_follow_up_count AFTER INSERT ON import_process_event FOR EACH ROW
    WHEN (NEW.event IN ('POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED')) EXECUTE FUNCTION count_follow_up();
`;

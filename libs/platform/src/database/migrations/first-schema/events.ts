import { lockKey } from '../../schema/lock-key';

/** The history of import processes and of submissions, which is the feed of events that suppliers follow. */
export const events = `
  -- The position of an event that is written now. migrate() adds to it after a dump was restored into a server whose
  -- transaction ids are lower.
  CREATE FUNCTION event_transaction_id() RETURNS bigint LANGUAGE sql STABLE
    RETURN pg_current_xact_id()::text::bigint + 0;
  -- No event before this position will be added or become visible any more.
  CREATE FUNCTION event_feed_horizon() RETURNS bigint LANGUAGE sql STABLE
    RETURN pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 0;

  CREATE TABLE import_process_event (
    process_id bigint NOT NULL REFERENCES import_process,
    version integer NOT NULL,
    attempt integer NOT NULL,
    event text NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    error_code text,
    -- Null for events of workers.
    actor text,
    supplier_id integer,
    submission_id bigint,
    -- Null for events that suppliers do not see, which therefore cost nothing in the index.
    transaction_id bigint,
    PRIMARY KEY (process_id, version, attempt, event),
    -- An event that suppliers see has a place in the feed.
    CONSTRAINT import_process_event_feed_check CHECK (
      event NOT IN ('PROCESSED', 'ERRORED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ROLLED_BACK',
                    'POST_IMPORT_COMPLETED', 'POST_IMPORT_ERRORED', 'CORRECTED', 'CORRECTION_ERRORED', 'CORRECTION_REHEARSED',
                    'CORRECTION_REHEARSAL_ERRORED', 'TAKEN_BACK')
      OR (supplier_id IS NOT NULL AND transaction_id IS NOT NULL))
  );
  CREATE INDEX import_process_event_feed
    ON import_process_event (supplier_id, transaction_id, process_id, version, attempt, event)
    WHERE transaction_id IS NOT NULL;
  -- The event records who scheduled an account or a correction. An audit entry as well would double the cost.
  CREATE INDEX import_process_event_scheduled ON import_process_event (occurred_at, process_id, version)
    WHERE event IN ('SCHEDULED', 'CORRECTION_SCHEDULED') AND actor IS NOT NULL;
  CREATE TRIGGER import_process_event_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON import_process_event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  -- ALWAYS: it also fires in replica sessions, which skip ordinary triggers.
  ALTER TABLE import_process_event ENABLE ALWAYS TRIGGER import_process_event_kept;

  CREATE TABLE submission_event (
    submission_id bigint NOT NULL REFERENCES submission,
    number integer NOT NULL CHECK (number > 0),
    supplier_id integer NOT NULL REFERENCES import_supplier,
    event text NOT NULL CHECK (event IN ('FINISHED', 'ABORTED')),
    counts jsonb NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    -- Both null until the maintenance has reconciled the submission; the feed shows the event then.
    reconciled boolean,
    transaction_id bigint,
    PRIMARY KEY (submission_id, number),
    CHECK ((reconciled IS NULL) = (transaction_id IS NULL))
  );
  CREATE INDEX submission_event_feed ON submission_event (supplier_id, transaction_id, submission_id, number)
    WHERE transaction_id IS NOT NULL;
  CREATE INDEX submission_event_unannounced ON submission_event (submission_id) WHERE transaction_id IS NULL;
  CREATE INDEX submission_event_unreconciled ON submission_event (supplier_id, submission_id) WHERE NOT reconciled;
  -- Refuses changes of an end of a submission that the feed has shown. Until then the maintenance completes or removes it.
  CREATE TRIGGER submission_event_kept BEFORE UPDATE OR DELETE ON submission_event
    FOR EACH ROW WHEN (OLD.transaction_id IS NOT NULL) EXECUTE FUNCTION refuse_change();
  ALTER TABLE submission_event ENABLE ALWAYS TRIGGER submission_event_kept;

  -- Records the end of the last follow-up of an import. Follow-ups of later requests do not count: their rows are
  -- younger than the account.
  CREATE FUNCTION record_post_import() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- Of two transactions that end follow-ups of one account, the second one sees what the first one has written.
    PERFORM pg_advisory_xact_lock(${lockKey('follow-ups', 'NEW.account_id')});
    INSERT INTO import_process_event
      (process_id, version, attempt, event, error_code, supplier_id, submission_id, transaction_id)
    SELECT process.id, process.version, process.attempt,
      CASE WHEN failed.code IS NULL THEN 'POST_IMPORT_COMPLETED' ELSE 'POST_IMPORT_ERRORED' END,
      failed.code, process.supplier_id, process.submission_id, event_transaction_id()
    FROM account
    JOIN import_process process ON process.id = account.process_id
    LEFT JOIN LATERAL (
      SELECT code FROM (
        SELECT 0 AS rank, id, coalesce(error_code, 'error') AS code FROM document
        WHERE account_id = account.id AND created_at = account.created_at AND state IN ('MISSING', 'REFUSED')
        UNION ALL
        SELECT 1, 0, coalesce(error_code, 'error') FROM welcome_email
        WHERE account_id = account.id AND state = 'REFUSED'
      ) failure ORDER BY rank, id LIMIT 1
    ) failed ON true
    WHERE account.id = NEW.account_id AND NEW.created_at = account.created_at
      AND NOT EXISTS (
        SELECT FROM document
        WHERE account_id = account.id AND created_at = account.created_at AND state = 'PENDING')
      AND NOT EXISTS (SELECT FROM welcome_email WHERE account_id = account.id AND state = 'PENDING')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER document_follow_up_ended AFTER UPDATE OF state ON document FOR EACH ROW
    WHEN (OLD.state = 'PENDING' AND NEW.state <> 'PENDING') EXECUTE FUNCTION record_post_import();
  CREATE TRIGGER welcome_email_follow_up_ended AFTER UPDATE OF state ON welcome_email FOR EACH ROW
    WHEN (OLD.state = 'PENDING' AND NEW.state <> 'PENDING') EXECUTE FUNCTION record_post_import();
`;

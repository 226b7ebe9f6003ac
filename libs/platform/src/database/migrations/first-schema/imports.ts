/** Import processes with their payloads. */
export const imports = `
  CREATE TABLE import_process (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    external_account_number text NOT NULL,
    -- Null once it was erased.
    external_identifier text,
    status text NOT NULL CHECK (status IN ('PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED',
                                           'CANCELLED', 'PROCESSED', 'ERRORED')),
    version integer NOT NULL DEFAULT 1,
    attempt integer NOT NULL DEFAULT 0,
    is_dry_run boolean NOT NULL,
    is_released boolean NOT NULL DEFAULT false,
    staging text CHECK (staging IN ('WAITING', 'PROCESSING')),
    -- Empty once the payload was erased.
    payload_hash bytea NOT NULL,
    payload_digest bytea,
    schedule_window_start timestamptz,
    schedule_window_end timestamptz,
    account_number text,
    account_created_at timestamptz,
    latest_event text NOT NULL CHECK (latest_event IN ('CREATED', 'PROCESSED', 'ERRORED')),
    latest_event_at timestamptz NOT NULL DEFAULT now(),
    error_code text,
    error_detail text,
    -- Path and code of each field that the error is about, without values.
    error_fields json,
    warnings json,
    -- Infinite for a staged account that waits, so that the sweeper does not take it.
    enqueued_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    modified_at timestamptz NOT NULL DEFAULT now(),
    -- The foreign key is added with the table of submissions.
    submission_id bigint,
    batch_id bigint,
    CONSTRAINT import_process_account_number UNIQUE (supplier_id, external_account_number),
    CONSTRAINT import_process_identifier UNIQUE (supplier_id, external_identifier),
    CHECK ((status = 'PROCESSED') = (account_number IS NOT NULL)),
    CHECK ((status IN ('ERRORED', 'DRY_RUN_ERRORED')) = (error_code IS NOT NULL))
  );
  -- The lists of a supplier, in the order of creation.
  CREATE INDEX import_process_list ON import_process (supplier_id, id);
  -- The counts by status, which read no rows of the table, and the lists of one status.
  CREATE INDEX import_process_status ON import_process (supplier_id, status, id);
  -- The same for one submission.
  CREATE INDEX import_process_submission ON import_process (submission_id, status, id)
    WHERE submission_id IS NOT NULL;
  -- The processes with an error, by its code.
  CREATE INDEX import_process_error ON import_process (supplier_id, error_code, id) WHERE error_code IS NOT NULL;
  -- For the sweeper. It begins with supplier and status, so that the sweeper does not read what a paused supplier holds,
  -- and leaves out staged accounts, which the sweeper never takes.
  CREATE INDEX import_process_unfinished_of_supplier ON import_process (supplier_id, status, enqueued_at)
    WHERE status IN ('PENDING', 'IN_PROGRESS') AND enqueued_at < 'infinity';
  -- The sweeper adds the jobs of processes whose schedule window has opened.
  CREATE INDEX import_process_due ON import_process (supplier_id, enqueued_at, id)
    WHERE status = 'PENDING' AND enqueued_at = schedule_window_start;
  -- The accounts that wait for their release. No other index has this order, so that no plan can read another one.
  CREATE INDEX import_process_awaiting_release ON import_process (supplier_id, is_dry_run, id)
    WHERE status = 'DRY_RUN_SUCCEEDED';
  -- The staged accounts of a supplier, for its quota.
  CREATE INDEX import_process_staged ON import_process (supplier_id) WHERE staging = 'WAITING' AND status = 'PENDING';
  -- The count of the staged accounts of a supplier that requests process at the moment.
  CREATE INDEX import_process_processing ON import_process (supplier_id)
    WHERE staging = 'PROCESSING' AND status IN ('PENDING', 'IN_PROGRESS');
  -- Payload retention reads the oldest finished processes without an account whose payload is still stored.
  CREATE INDEX import_process_payload_kept ON import_process (supplier_id, modified_at)
    WHERE status IN ('DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED') AND payload_hash <> '\\x';

  CREATE TABLE import_process_payload (
    process_id bigint PRIMARY KEY REFERENCES import_process,
    -- json, not jsonb: stored exactly as it was sent.
    payload json NOT NULL,
    -- Digest of the rules by which the API has found the payload valid.
    context_digest bigint,
    received_at timestamptz NOT NULL DEFAULT now()
  );
  -- Payloads are most of the stored data. lz4 makes them as small as the default method, in a fraction of the time.
  DO $$ BEGIN
    ALTER TABLE import_process_payload ALTER COLUMN payload SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported THEN
    RAISE NOTICE 'This PostgreSQL was built without lz4: payloads are compressed by its own method.';
  END $$;
`;

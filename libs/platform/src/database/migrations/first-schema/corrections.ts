/** Corrections of imported accounts. */
export const corrections = `
  CREATE TABLE import_process_correction (
    process_id bigint NOT NULL REFERENCES import_process,
    -- The version of the process that the correction is.
    version integer NOT NULL,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    submission_id bigint REFERENCES submission,
    status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SUCCEEDED', 'ERRORED', 'CANCELLED')),
    is_dry_run boolean NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    -- Null once the correction has ended, or its account was erased.
    payload json,
    payload_hash bytea NOT NULL,
    payload_digest bytea,
    context_digest bigint,
    -- Null once they were erased.
    changes json,
    change_count integer NOT NULL,
    actor text NOT NULL,
    batch_id bigint,
    error_code text,
    error_detail text,
    enqueued_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (process_id, version),
    CHECK ((status = 'PENDING') = (ended_at IS NULL)),
    CHECK ((status = 'ERRORED') = (error_code IS NOT NULL))
  );
  -- An account has one correction at a time.
  CREATE UNIQUE INDEX import_process_correction_pending ON import_process_correction (process_id)
    WHERE status = 'PENDING';
  -- For the sweeper, which does not read those of a paused supplier.
  CREATE INDEX import_process_correction_unfinished ON import_process_correction (supplier_id, enqueued_at)
    WHERE status = 'PENDING';
  -- The corrections of a submission by their status.
  CREATE INDEX import_process_correction_submission ON import_process_correction (submission_id, status, process_id)
    WHERE submission_id IS NOT NULL;
`;

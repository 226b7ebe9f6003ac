/** Submissions: books of accounts that a supplier uploads, with their uploads and lines. */
export const submissions = `
  CREATE TABLE submission (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    reference text NOT NULL,
    request_hash bytea NOT NULL,
    expected jsonb NOT NULL,
    kind text NOT NULL DEFAULT 'accounts' CHECK (kind IN ('accounts', 'additions')),
    mode text NOT NULL DEFAULT 'create' CHECK (mode IN ('create', 'correct', 'create-or-correct')),
    is_dry_run boolean NOT NULL,
    schedule_window_start timestamptz,
    schedule_window_end timestamptz,
    status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'RECEIVED', 'ABORTED')),
    actor text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    finished_at timestamptz,
    CONSTRAINT submission_reference UNIQUE (supplier_id, reference),
    CHECK ((status = 'RECEIVED') = (completed_at IS NOT NULL AND status <> 'ABORTED')),
    CHECK (finished_at IS NULL OR status <> 'OPEN')
  );
  CREATE INDEX submission_list ON submission (supplier_id, id);
  -- The submissions of one kind, of all suppliers or of one.
  CREATE INDEX submission_kind ON submission (kind, id);
  CREATE INDEX submission_open ON submission (id) WHERE status = 'OPEN';
  -- For the quota of a supplier.
  CREATE INDEX submission_open_of_supplier ON submission (supplier_id) WHERE status = 'OPEN';
  CREATE INDEX submission_unfinished ON submission (id) WHERE status <> 'OPEN' AND finished_at IS NULL;
  ALTER TABLE import_process ADD FOREIGN KEY (submission_id) REFERENCES submission;

  CREATE TABLE submission_upload (
    submission_id bigint NOT NULL REFERENCES submission,
    number integer NOT NULL CHECK (number > 0),
    actor text NOT NULL,
    lines integer NOT NULL DEFAULT 0,
    accepted integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    repeated integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    corrections integer NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL DEFAULT now(),
    renewed_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (submission_id, number)
  );

  CREATE TABLE submission_line (
    submission_id bigint NOT NULL,
    upload_number integer NOT NULL,
    line integer NOT NULL CHECK (line > 0),
    process_id bigint REFERENCES import_process,
    external_account_number text,
    -- The account of a line without a process, so that each account has at most one of them.
    refused_key bytea,
    -- Lines that repeat the account of another line of their submission are stored for the results and not counted.
    outcome text CHECK (outcome IN ('refused', 'repeated', 'cancelled', 'unchanged', 'correction')),
    -- The process of an account that was imported before, for the outcomes unchanged and correction.
    imported_process_id bigint REFERENCES import_process,
    errors json,
    customers integer NOT NULL,
    supply_points integer NOT NULL,
    statements integer NOT NULL,
    transactions integer NOT NULL,
    opening_balance numeric(20, 2) NOT NULL,
    payment_instructions integer NOT NULL,
    debts integer NOT NULL,
    readings integer NOT NULL,
    statement_total numeric(20) NOT NULL,
    opening_debits numeric(20, 2) NOT NULL,
    opening_credits numeric(20, 2) NOT NULL,
    documents integer NOT NULL,
    payload_digest bytea,
    -- The supplier of a refused line, by which its quota is counted.
    refused_supplier_id integer,
    PRIMARY KEY (submission_id, upload_number, line),
    FOREIGN KEY (submission_id, upload_number) REFERENCES submission_upload,
    CHECK ((process_id IS NULL) = (outcome IS NOT NULL)),
    CHECK ((outcome IS NULL) = (refused_key IS NULL)),
    CHECK ((coalesce(outcome, '') IN ('unchanged', 'correction')) = (imported_process_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX submission_line_process ON submission_line (process_id) WHERE process_id IS NOT NULL;
  -- The lines about an account that was imported before.
  CREATE INDEX submission_line_imported ON submission_line (imported_process_id) WHERE imported_process_id IS NOT NULL;
  CREATE UNIQUE INDEX submission_line_refused ON submission_line (submission_id, refused_key)
    WHERE refused_key IS NOT NULL;
  CREATE INDEX submission_line_outcome ON submission_line (submission_id, outcome, upload_number, line)
    WHERE outcome IS NOT NULL;
  CREATE INDEX submission_line_refused_of_supplier ON submission_line (refused_supplier_id)
    WHERE refused_supplier_id IS NOT NULL;

  -- The lines of a submission of additions.
  CREATE TABLE submission_addition (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    submission_id bigint NOT NULL,
    upload_number integer NOT NULL,
    line integer NOT NULL,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    -- Those of one account have the same, and are performed one after the other.
    shard smallint NOT NULL,
    kind text,
    external_account_number text,
    digest bytea NOT NULL,
    status text NOT NULL CHECK (status IN ('PENDING', 'IN_PROGRESS', 'PROCESSED', 'UNCHANGED', 'ERRORED',
      'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'REFUSED')),
    input json,
    size integer NOT NULL,
    measures jsonb NOT NULL,
    -- No foreign key: finished requests are deleted after some hours.
    request_id bigint,
    attempt integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    result json,
    errors json,
    ended_at timestamptz,
    FOREIGN KEY (submission_id, upload_number) REFERENCES submission_upload,
    CHECK ((status IN ('PENDING', 'IN_PROGRESS')) = (input IS NOT NULL)),
    CHECK ((status = 'IN_PROGRESS') = (request_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX submission_addition_line ON submission_addition (submission_id, upload_number, line);
  CREATE UNIQUE INDEX submission_addition_digest ON submission_addition (submission_id, digest);
  CREATE INDEX submission_addition_unfinished ON submission_addition (submission_id, shard, id)
    WHERE status IN ('PENDING', 'IN_PROGRESS');
  -- For the erasure of an account.
  CREATE INDEX submission_addition_account ON submission_addition (supplier_id, external_account_number);
  CREATE INDEX submission_addition_due ON submission_addition (due_at) WHERE status = 'PENDING';
  CREATE INDEX submission_addition_request ON submission_addition (submission_id, request_id) WHERE status = 'IN_PROGRESS';
  CREATE INDEX submission_addition_retried ON submission_addition (submission_id, external_account_number)
    WHERE status = 'PENDING' AND attempt > 0;
  -- For the quota of refused lines.
  CREATE INDEX submission_addition_refused ON submission_addition (supplier_id) WHERE status = 'REFUSED';
`;

/** Requests about an account, and the answers to requests with an Idempotency-Key. */
export const accountRequests = `
  -- Requests that a worker performs while the API waits.
  CREATE TABLE account_request (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation_id integer NOT NULL REFERENCES organisation,
    -- A request that processes a staged account has no account yet.
    account_id bigint REFERENCES account,
    process_id bigint REFERENCES import_process ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('transactions', 'payment-instruction', 'process-account')),
    -- Hash of everything that the outcome depends on: equal requests have equal fingerprints.
    fingerprint bytea NOT NULL,
    -- Its client has sent an Idempotency-Key.
    is_keyed boolean NOT NULL DEFAULT false,
    actor text NOT NULL,
    status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'DONE')),
    attempt integer NOT NULL DEFAULT 0,
    -- Its client was answered before the outcome was there, so that the same request finds the outcome.
    is_unanswered boolean NOT NULL DEFAULT false,
    -- json, not jsonb: amounts stay as they were sent. Null once the outcome is stored.
    input json,
    outcome json,
    enqueued_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT account_request_subject_check CHECK ((kind = 'process-account') = (account_id IS NULL)),
    CONSTRAINT account_request_process_check CHECK ((kind = 'process-account') = (process_id IS NOT NULL)),
    CONSTRAINT account_request_check CHECK ((status = 'DONE') = (outcome IS NOT NULL)),
    CONSTRAINT account_request_check1 CHECK ((status = 'PENDING') = (input IS NOT NULL))
  );
  -- An equal request that arrives while one is in flight joins it.
  CREATE UNIQUE INDEX account_request_in_flight ON account_request (account_id, kind, fingerprint)
    WHERE status = 'PENDING' AND NOT is_keyed;
  CREATE INDEX account_request_account ON account_request (account_id);
  CREATE INDEX account_request_process ON account_request (process_id) WHERE process_id IS NOT NULL;
  CREATE INDEX account_request_pending ON account_request (enqueued_at) WHERE status = 'PENDING';
  CREATE INDEX account_request_finished ON account_request (finished_at) WHERE status = 'DONE';
  -- The lists of operators.
  CREATE INDEX account_request_instruction_outcome ON account_request (coalesce(outcome ->> 'kind', 'waiting'), id)
    WHERE kind = 'payment-instruction';

  -- Requests with an Idempotency-Key. The row is the first that a request writes, so that others with its key wait.
  CREATE TABLE idempotency_key (
    organisation_id integer NOT NULL REFERENCES organisation,
    key text NOT NULL,
    endpoint text NOT NULL,
    fingerprint bytea NOT NULL,
    -- The answer is erased with its account, or with its process.
    account_id bigint REFERENCES account,
    process_id bigint REFERENCES import_process,
    -- The request that a worker performs has the answer, or the column.
    request_id bigint REFERENCES account_request ON DELETE CASCADE,
    answer json,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organisation_id, key)
  );
  CREATE INDEX idempotency_key_account ON idempotency_key (account_id) WHERE account_id IS NOT NULL;
  CREATE INDEX idempotency_key_process ON idempotency_key (process_id) WHERE process_id IS NOT NULL;
  CREATE INDEX idempotency_key_request ON idempotency_key (request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX idempotency_key_age ON idempotency_key (created_at) WHERE request_id IS NULL;
`;

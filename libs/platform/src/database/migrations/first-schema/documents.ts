/** The notes and historical statements of accounts, their documents, and the welcome e-mails. */
export const documents = `
  CREATE TABLE note (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account,
    body text,
    external_id text,
    is_pinned boolean NOT NULL,
    unpin_at timestamptz,
    is_archived boolean NOT NULL,
    document_paths text[] NOT NULL,
    -- Null for rows that came with the account.
    actor text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK (body IS NOT NULL OR document_paths <> '{}')
  );
  CREATE INDEX note_account ON note (account_id, id);
  CREATE INDEX note_external_id ON note (account_id, external_id) WHERE external_id IS NOT NULL;

  -- The identity of a note without its time (contract, "Add notes"), as noteKey (note-identity.ts) defines it: the body,
  -- or the set of documents. A digest, because bodies are longer than an index permits. In PL/pgSQL, because
  -- PostgreSQL starts an executor for each call of an SQL function with a subquery.
  CREATE FUNCTION note_identity(body text, document_paths text[]) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN
      IF body IS NOT NULL THEN
        RETURN sha256(convert_to('body ' || body, 'UTF8'));
      END IF;
      RETURN sha256(convert_to('documents ' ||
        ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(document_paths) AS path ORDER BY 1)::text, 'UTF8'));
    END $$;
  CREATE INDEX note_identity ON note (account_id, note_identity(body, document_paths), created_at);

  CREATE TABLE historical_statement (
    account_id bigint NOT NULL REFERENCES account,
    statement_id text NOT NULL,
    bill_period_from_date date NOT NULL,
    bill_period_to_date date NOT NULL,
    issued_date date,
    number text,
    -- Any number: most suppliers send minor units, some an amount.
    gross_amount numeric,
    statement_path text,
    actor text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT historical_statement_identity PRIMARY KEY (account_id, statement_id)
  );

  CREATE TABLE document (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account,
    path text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('statement', 'note')),
    state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'STORED', 'MISSING', 'REFUSED')),
    size bigint,
    media_type text,
    sha256 bytea,
    error_code text,
    -- The supplier of a missing or refused document, by which operators list and count them.
    unsettled_supplier_id integer,
    enqueued_at timestamptz NOT NULL DEFAULT now(),
    inspected_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT document_path UNIQUE (account_id, path, kind),
    CHECK ((state = 'STORED') = (sha256 IS NOT NULL))
  );
  CREATE INDEX document_pending ON document (enqueued_at) WHERE state = 'PENDING';
  CREATE INDEX document_pending_account ON document (account_id, id) WHERE state = 'PENDING';
  -- Missing and refused documents are few.
  CREATE INDEX document_unsettled_of_supplier ON document (unsettled_supplier_id, state, id)
    WHERE state IN ('MISSING', 'REFUSED');
  CREATE INDEX document_unsettled_account ON document (account_id, id) WHERE state IN ('MISSING', 'REFUSED');
  -- Finds other accounts that name a document, in any spelling that a file system may treat as the same name. A hash
  -- index, because paths are long and compared only as a whole.
  CREATE INDEX document_place ON document USING hash (lower(normalize(path, NFKC)));

  -- The outbox of welcome e-mails: at most one for each account.
  CREATE TABLE welcome_email (
    account_id bigint PRIMARY KEY REFERENCES account,
    recipient text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'SENT', 'REFUSED', 'KEPT')),
    error_code text,
    enqueued_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX welcome_email_pending ON welcome_email (enqueued_at) WHERE state = 'PENDING';
`;

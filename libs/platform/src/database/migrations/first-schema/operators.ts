/** Operators, who sign in to the console and to Bull Board, and the workers that they see. */
export const operators = `
  CREATE TABLE operator (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (name = lower(name)),
    role text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    password_hash text,
    must_change_password boolean NOT NULL DEFAULT false,
    password_expires_at timestamptz,
    totp_secret bytea,
    totp_is_confirmed boolean NOT NULL DEFAULT false,
    totp_last_step bigint,
    oidc_subject text UNIQUE,
    is_disabled boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_login_at timestamptz,
    CHECK (totp_secret IS NOT NULL OR NOT totp_is_confirmed)
  );

  CREATE TABLE operator_session (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_digest bytea NOT NULL UNIQUE,
    operator_id integer NOT NULL REFERENCES operator,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX operator_session_operator ON operator_session (operator_id, id);
  CREATE INDEX operator_session_expiry ON operator_session (expires_at);

  CREATE TABLE worker_heartbeat (
    id uuid PRIMARY KEY,
    host text NOT NULL,
    release text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    report jsonb NOT NULL
  );
`;

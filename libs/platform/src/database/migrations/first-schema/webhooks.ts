/** Webhook endpoints, each with its place in the feed of its supplier, and the attempts of the last days. */
export const webhooks = `
  CREATE TABLE webhook_endpoint (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    url text NOT NULL,
    types text[] NOT NULL,
    description text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until timestamptz,
    actor text NOT NULL,
    -- The time at which the receiver has answered a challenge. Nothing is delivered before it.
    verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED')),
    disabled_reason text CHECK (disabled_reason IN ('manual', 'failing', 'gone')),
    disabled_at timestamptz,
    revision integer NOT NULL DEFAULT 1,
    position jsonb NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    next_attempt_at timestamptz,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    lease_token uuid,
    lease_until timestamptz,
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
    CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
    CHECK ((status = 'DISABLED') = (disabled_at IS NOT NULL)),
    CHECK ((lease_token IS NULL) = (lease_until IS NULL))
  );
  CREATE INDEX webhook_endpoint_supplier ON webhook_endpoint (supplier_id, id);
  CREATE INDEX webhook_endpoint_enabled ON webhook_endpoint (id) WHERE status = 'ENABLED';

  -- No foreign key: the attempts of an endpoint that was deleted are kept as long as all others.
  CREATE TABLE webhook_attempt (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id bigint NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    number integer NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    occurred_at timestamptz NOT NULL
  );
  CREATE INDEX webhook_attempt_endpoint ON webhook_attempt (endpoint_id, id);
  CREATE INDEX webhook_attempt_occurred ON webhook_attempt (occurred_at);
`;

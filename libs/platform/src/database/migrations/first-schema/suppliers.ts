import { lockKey } from '../../schema/lock-key';

/** The installation, organisations with their suppliers, the access of suppliers to the API, and the audit trail. */
export const suppliers = `
  CREATE TABLE installation (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    account_number_key bytea NOT NULL,
    rule_settings jsonb NOT NULL DEFAULT '{}'
  );
  COMMENT ON TABLE installation IS 'One row: what makes this installation different from others.';
  -- gen_random_uuid is PostgreSQL's own source of strong randomness.
  INSERT INTO installation (account_number_key)
  VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

  CREATE TABLE reference_data (
    list text PRIMARY KEY,
    -- json, not jsonb: exported as it was imported.
    entries json NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE organisation (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 128),
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE import_supplier (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation_id integer NOT NULL REFERENCES organisation,
    code text NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 128),
    status text NOT NULL DEFAULT 'Ongoing' CHECK (status IN ('Ongoing', 'Paused', 'Complete')),
    region text NOT NULL CHECK (region ~ '^[A-Z]{2}$'),
    creation_mode text NOT NULL CHECK (creation_mode IN ('direct', 'dry-run-first', 'staged')),
    profile text NOT NULL CHECK (profile IN ('core', 'gb-energy')),
    document_root text NOT NULL CHECK (length(document_root) <= 512 AND document_root ~
      '^[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&''-]*[A-Za-z0-9_,=+@()&''-])?(/[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&''-]*[A-Za-z0-9_,=+@()&''-])?)*$'),
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    time_zone text NOT NULL,
    verify_documents boolean NOT NULL,
    reject_undocumented_fields boolean NOT NULL,
    send_migration_emails boolean NOT NULL,
    -- Null: the payload is retained as long as the account.
    retain_payload_days integer CHECK (retain_payload_days BETWEEN 0 AND 36500),
    v1_error_format text NOT NULL DEFAULT 'standard' CHECK (v1_error_format IN ('standard', 'fields')),
    max_processing_accounts integer CHECK (max_processing_accounts > 0),
    corrections boolean NOT NULL DEFAULT true,
    -- True: the number of an account that was erased can be imported again.
    reimport_after_erasure boolean NOT NULL DEFAULT false,
    rule_settings jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    modified_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX import_supplier_organisation_code ON import_supplier (organisation_id, code);
  -- Two spellings of a folder are one folder on a file system that ignores case.
  CREATE UNIQUE INDEX import_supplier_document_root ON import_supplier (lower(document_root COLLATE "C"));

  CREATE FUNCTION refuse_document_root_overlap() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- One change at a time, so that two concurrent ones cannot both miss the other.
    PERFORM pg_advisory_xact_lock(${lockKey('document-roots')});
    IF EXISTS (
      SELECT FROM import_supplier other
      WHERE other.organisation_id <> NEW.organisation_id AND (
        starts_with(lower(other.document_root COLLATE "C") || '/', lower(NEW.document_root COLLATE "C") || '/')
        OR starts_with(lower(NEW.document_root COLLATE "C") || '/', lower(other.document_root COLLATE "C") || '/'))
    ) THEN
      RAISE EXCEPTION 'The document root is inside, above or equal to that of another organisation.'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'import_supplier_document_root';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER import_supplier_document_root_apart
    AFTER INSERT OR UPDATE OF document_root, organisation_id ON import_supplier
    FOR EACH ROW EXECUTE FUNCTION refuse_document_root_overlap();

  CREATE TABLE api_key (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation_id integer NOT NULL REFERENCES organisation,
    prefix text NOT NULL UNIQUE,
    hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
  );
  CREATE INDEX api_key_organisation ON api_key (organisation_id);

  CREATE TABLE refresh_token (
    hash bytea PRIMARY KEY,
    family uuid NOT NULL,
    api_key_id integer NOT NULL REFERENCES api_key,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );
  CREATE INDEX refresh_token_family ON refresh_token (family);
  CREATE INDEX refresh_token_expiry ON refresh_token (expires_at);

  -- Families of which a refresh token was used twice.
  CREATE TABLE revoked_token_family (
    family uuid PRIMARY KEY,
    revoked_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX revoked_token_family_age ON revoked_token_family (revoked_at);

  -- Counts of rate-limiter-flexible, which names the columns. Unlogged: counting does not wait for the disk, and a crash of
  -- the server may reset the counts.
  CREATE UNLOGGED TABLE rate_limit (
    key text PRIMARY KEY,
    points integer NOT NULL,
    expire bigint
  );
  CREATE INDEX rate_limit_expire ON rate_limit (expire);

  -- Every process caches these tables. The trigger announces each change to all processes.
  CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('portage_changes', TG_TABLE_NAME);
    RETURN NULL;
  END $$;
  CREATE TRIGGER installation_changed AFTER INSERT OR UPDATE OR DELETE ON installation
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
  CREATE TRIGGER reference_data_changed AFTER INSERT OR UPDATE OR DELETE ON reference_data
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
  CREATE TRIGGER import_supplier_changed AFTER INSERT OR UPDATE OR DELETE ON import_supplier
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
  CREATE TRIGGER api_key_changed AFTER INSERT OR UPDATE OR DELETE ON api_key
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
  CREATE TRIGGER revoked_token_family_changed AFTER INSERT ON revoked_token_family
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change();

  CREATE TABLE audit_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    action text NOT NULL,
    -- Codes and numbers rather than ids: an entry is readable without the rows that it refers to.
    supplier text,
    subject text,
    details jsonb NOT NULL DEFAULT '{}'
  );
  CREATE INDEX audit_entry_newest ON audit_entry (occurred_at, id);
  -- For the quota of a supplier.
  CREATE INDEX audit_entry_tenant ON audit_entry (supplier, occurred_at)
    WHERE actor LIKE 'api-key:%' AND action <> 'account.read';
  CREATE INDEX audit_entry_account_read ON audit_entry (supplier, occurred_at)
    WHERE actor LIKE 'api-key:%' AND action = 'account.read';

  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The table % is only ever added to.', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER audit_entry_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  -- ALWAYS: it also fires in replica sessions, which skip ordinary triggers.
  ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_kept;
`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organisations, suppliers, import processes and the accounts they create. */
export class FirstSchema1795219200000 implements MigrationInterface {
  readonly name = 'FirstSchema1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installation (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        account_number_key bytea NOT NULL
      );
      COMMENT ON TABLE installation IS 'One row: what makes this installation different from others.';
      -- gen_random_uuid is PostgreSQL's own source of strong randomness.
      INSERT INTO installation (account_number_key)
      VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

      CREATE SEQUENCE account_number_sequence MINVALUE 0 START 0 MAXVALUE 4294967295 NO CYCLE;

      CREATE TABLE organisation (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 128),
        created_at timestamptz NOT NULL DEFAULT now()
      );

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

      CREATE TABLE import_supplier (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organisation_id integer NOT NULL REFERENCES organisation,
        code text NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 128),
        status text NOT NULL DEFAULT 'Ongoing' CHECK (status IN ('Ongoing', 'Paused', 'Complete')),
        region text NOT NULL CHECK (region ~ '^[A-Z]{2}$'),
        creation_mode text NOT NULL CHECK (creation_mode IN ('direct', 'dry-run-first', 'staged')),
        profile text NOT NULL CHECK (profile IN ('core', 'gb-energy')),
        document_root text NOT NULL,
        currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
        time_zone text NOT NULL,
        verify_documents boolean NOT NULL,
        reject_undocumented_fields boolean NOT NULL,
        send_migration_emails boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        modified_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX import_supplier_organisation ON import_supplier (organisation_id);

      CREATE TABLE import_process (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        supplier_id integer NOT NULL REFERENCES import_supplier,
        version integer NOT NULL DEFAULT 1,
        attempt integer NOT NULL DEFAULT 0,
        is_dry_run boolean NOT NULL,
        is_released boolean NOT NULL DEFAULT false,
        status text NOT NULL CHECK (status IN ('PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED',
                                               'CANCELLED', 'PROCESSED', 'ERRORED')),
        latest_event text NOT NULL CHECK (latest_event IN ('CREATED', 'PROCESSED', 'ERRORED')),
        external_account_number text NOT NULL,
        external_identifier text NOT NULL,
        payload_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        modified_at timestamptz NOT NULL DEFAULT now(),
        latest_event_at timestamptz NOT NULL DEFAULT now(),
        enqueued_at timestamptz NOT NULL DEFAULT now(),
        schedule_window_start timestamptz,
        schedule_window_end timestamptz,
        account_number text,
        account_created_at timestamptz,
        error_code text,
        error_detail text,
        CONSTRAINT import_process_account_number UNIQUE (supplier_id, external_account_number),
        CONSTRAINT import_process_identifier UNIQUE (supplier_id, external_identifier),
        CHECK ((status = 'PROCESSED') = (account_number IS NOT NULL)),
        CHECK ((status IN ('ERRORED', 'DRY_RUN_ERRORED')) = (error_code IS NOT NULL))
      );
      -- The lists of a supplier, in the order of creation.
      CREATE INDEX import_process_list ON import_process (supplier_id, id);
      -- For the sweeper. It contains unfinished processes only, so it stays small.
      CREATE INDEX import_process_unfinished ON import_process (enqueued_at)
        WHERE status IN ('PENDING', 'IN_PROGRESS');

      CREATE TABLE import_process_payload (
        process_id bigint PRIMARY KEY REFERENCES import_process,
        received_at timestamptz NOT NULL DEFAULT now(),
        -- json, not jsonb: stored exactly as it was sent.
        payload json NOT NULL
      );

      CREATE TABLE import_process_event (
        process_id bigint NOT NULL REFERENCES import_process,
        version integer NOT NULL,
        attempt integer NOT NULL,
        event text NOT NULL,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        error_code text,
        PRIMARY KEY (process_id, version, attempt, event)
      );

      CREATE TABLE account (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        process_id bigint NOT NULL UNIQUE REFERENCES import_process,
        supplier_id integer NOT NULL REFERENCES import_supplier,
        number text NOT NULL UNIQUE CHECK (number ~ '^A-[0-9a-f]{8}$'),
        external_account_number text NOT NULL,
        external_identifier text NOT NULL,
        account_type text,
        billing jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT account_external_account_number UNIQUE (supplier_id, external_account_number),
        CONSTRAINT account_external_identifier UNIQUE (supplier_id, external_identifier)
      );

      CREATE TABLE customer (
        account_id bigint NOT NULL REFERENCES account,
        position integer NOT NULL,
        user_identifier text,
        title text,
        given_name text NOT NULL,
        family_name text NOT NULL,
        email text,
        mobile text,
        landline text,
        date_of_birth date,
        details jsonb NOT NULL,
        PRIMARY KEY (account_id, position)
      );

      -- Every process caches suppliers and keys. The trigger announces each change to all processes.
      CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('portage_changes', TG_TABLE_NAME);
        RETURN NULL;
      END $$;
      CREATE TRIGGER import_supplier_changed AFTER INSERT OR UPDATE OR DELETE ON import_supplier
        FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
      CREATE TRIGGER api_key_changed AFTER INSERT OR UPDATE OR DELETE ON api_key
        FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE customer, account, import_process_event, import_process_payload, import_process,
        import_supplier, refresh_token, api_key, organisation, installation;
      DROP SEQUENCE account_number_sequence;
      DROP FUNCTION announce_change();
    `);
  }
}

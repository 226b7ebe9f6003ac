import { LOCK_MASK, lockKey } from '../../schema/lock-key';

/** Accounts with their customers, references, debts and supply points. */
export const accounts = `
  CREATE SEQUENCE account_number_sequence MINVALUE 0 START 0 MAXVALUE 4294967295 NO CYCLE;

  CREATE TABLE account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number text NOT NULL UNIQUE CHECK (number ~ '^A-[0-9a-f]{8}$'),
    process_id bigint NOT NULL UNIQUE REFERENCES import_process,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    external_account_number text NOT NULL,
    -- Null once the account was erased.
    external_identifier text,
    account_type text,
    billing jsonb NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    cycle_months integer NOT NULL DEFAULT 1 CHECK (cycle_months > 0),
    cycle_start_day smallint NOT NULL DEFAULT 1 CHECK (cycle_start_day BETWEEN 1 AND 31),
    cycle_phase integer NOT NULL DEFAULT 0,
    payload_erased_at timestamptz,
    erased_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT account_external_account_number UNIQUE (supplier_id, external_account_number),
    CONSTRAINT account_external_identifier UNIQUE (supplier_id, external_identifier),
    CONSTRAINT account_check CHECK (cycle_phase >= 0 AND cycle_phase < cycle_months),
    CONSTRAINT account_check1 CHECK (erased_at IS NULL OR payload_erased_at IS NOT NULL)
  );
  -- Payload retention reads the oldest first. Erased payloads are not in the index.
  CREATE INDEX account_payload_kept ON account (supplier_id, created_at) WHERE payload_erased_at IS NULL;

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

  -- The roles of each e-mail address in an organisation.
  CREATE TABLE held_role (
    organisation_id integer NOT NULL,
    -- In lower case.
    email text NOT NULL,
    role text NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    PRIMARY KEY (organisation_id, email, role, account_id)
  );
  CREATE INDEX held_role_account ON held_role (account_id);

  -- The rules about values that accounts share are judged by the snapshot of the statement that writes, which shows
  -- nothing of the same statement and of concurrent ones. A trigger judges what is added once more when it holds the locks
  -- of its values: of two concurrent transactions the second one sees the first. The locks of a kind are few, because
  -- all sessions share the memory for them, and are held only from the end of the statement to the commit.
  CREATE FUNCTION refuse_exclusive_role() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    exclusive text[];
  BEGIN
    SELECT array_agg(listed ->> 'code') INTO exclusive FROM (
      SELECT json_array_elements(entries) AS listed FROM reference_data WHERE list = 'roles'
    ) roles WHERE (listed ->> 'exclusive')::boolean;
    IF exclusive IS NULL THEN
      RETURN NULL;
    END IF;
    PERFORM CASE WHEN is_exclusive THEN pg_advisory_xact_lock(lock) ELSE pg_advisory_xact_lock_shared(lock) END FROM (
      SELECT ${lockKey('held-roles', 'organisation_id', 'bucket')} AS lock, is_exclusive FROM (
        SELECT organisation_id, hashtext(email) & ${LOCK_MASK} AS bucket, bool_or(role = ANY (exclusive)) AS is_exclusive
        FROM added GROUP BY 1, 2
      ) buckets ORDER BY lock
    ) locks;
    -- Each comparison is a range of the primary key that ends at the first row of another account.
    IF EXISTS (
      SELECT FROM added WHERE EXISTS (
        SELECT FROM held_role stored WHERE stored.organisation_id = added.organisation_id AND stored.email = added.email
          AND stored.role = ANY (array_remove(exclusive, added.role)) AND stored.account_id <> added.account_id
      ) OR added.role = ANY (exclusive) AND (EXISTS (
        SELECT FROM held_role stored WHERE stored.organisation_id = added.organisation_id AND stored.email = added.email
          AND stored.role < added.role AND stored.account_id <> added.account_id
      ) OR EXISTS (
        SELECT FROM held_role stored WHERE stored.organisation_id = added.organisation_id AND stored.email = added.email
          AND stored.role > added.role AND stored.account_id <> added.account_id
      ))
    ) THEN
      RAISE EXCEPTION 'A person with an exclusive role has another role on another account.'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'held_role_exclusive';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER held_role_added AFTER INSERT ON held_role
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_exclusive_role();

  CREATE TABLE account_reference (
    account_id bigint NOT NULL REFERENCES account,
    position integer NOT NULL,
    supplier_id integer NOT NULL REFERENCES import_supplier,
    namespace text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (account_id, position),
    CONSTRAINT account_reference_value UNIQUE (supplier_id, namespace, value)
  );

  CREATE TABLE debt (
    account_id bigint NOT NULL REFERENCES account,
    position integer NOT NULL,
    -- That of the account, so that a lookup searches one organisation only.
    organisation_id integer NOT NULL,
    cais_reference text,
    details jsonb NOT NULL,
    PRIMARY KEY (account_id, position)
  );
  CREATE INDEX debt_reference ON debt (organisation_id, cais_reference, account_id) WHERE cais_reference IS NOT NULL;

  -- As refuse_exclusive_role. No unique index, because an account may have a reference on several of its debts.
  CREATE FUNCTION refuse_shared_debt() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM added WHERE cais_reference IS NOT NULL) THEN
      RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(lock) FROM (
      SELECT ${lockKey('debts', 'organisation_id', 'bucket')} AS lock FROM (
        SELECT DISTINCT organisation_id, hashtext(cais_reference) & ${LOCK_MASK} AS bucket
        FROM added WHERE cais_reference IS NOT NULL
      ) buckets ORDER BY lock
    ) locks;
    -- Two ranges of an index, because the account itself may have the reference any number of times.
    IF EXISTS (
      SELECT FROM (
        SELECT DISTINCT organisation_id, cais_reference, account_id FROM added WHERE cais_reference IS NOT NULL
      ) reference
      WHERE EXISTS (
        SELECT FROM debt stored WHERE stored.organisation_id = reference.organisation_id
          AND stored.cais_reference = reference.cais_reference AND stored.account_id < reference.account_id
      ) OR EXISTS (
        SELECT FROM debt stored WHERE stored.organisation_id = reference.organisation_id
          AND stored.cais_reference = reference.cais_reference AND stored.account_id > reference.account_id
      )
    ) THEN
      RAISE EXCEPTION 'Another account has the CAIS reference.'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'debt_of_one_account';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER debt_added AFTER INSERT ON debt
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_shared_debt();

  CREATE TABLE supply_point (
    account_id bigint NOT NULL REFERENCES account,
    position integer NOT NULL,
    supply_address_position integer NOT NULL,
    supply_type text NOT NULL,
    identifier text NOT NULL,
    supply_start_date date NOT NULL,
    supply_end_date date,
    last_billed_to_date date,
    meters jsonb NOT NULL,
    details jsonb NOT NULL,
    -- That of the account, so that a lookup searches one supplier only.
    supplier_id integer NOT NULL,
    PRIMARY KEY (account_id, position)
  );
  -- Finds the accounts of a supplier that have a supply point. The hash stands for it, because identifiers can be too long
  -- for an index.
  CREATE INDEX supply_point_identifier ON supply_point (supplier_id, hashtextextended(identifier, 0));

  CREATE TABLE agreement (
    account_id bigint NOT NULL,
    supply_point_position integer NOT NULL,
    position integer NOT NULL,
    tariff_code text NOT NULL,
    effective_from date NOT NULL,
    effective_to date,
    details jsonb NOT NULL,
    PRIMARY KEY (account_id, supply_point_position, position),
    FOREIGN KEY (account_id, supply_point_position) REFERENCES supply_point
  );
`;

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

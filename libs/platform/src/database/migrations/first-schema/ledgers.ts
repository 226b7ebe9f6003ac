import { LOCK_MASK, lockKey } from '../../schema/lock-key';

/** The ledgers of accounts with statement periods, transactions, charged periods and payment instructions. */
export const ledgers = `
  CREATE TABLE ledger (
    account_id bigint NOT NULL REFERENCES account,
    position integer NOT NULL,
    ledger_code text,
    ledger_identifier text,
    -- Above zero in favour of the customer.
    balance numeric(14, 2) NOT NULL,
    details jsonb NOT NULL,
    PRIMARY KEY (account_id, position)
  );

  CREATE TABLE statement_period (
    account_id bigint NOT NULL,
    ledger_position integer NOT NULL,
    position integer NOT NULL,
    -- Both days are included; history without a known beginning has no start.
    start_date date,
    end_date date NOT NULL,
    closed_at timestamptz,
    closing_balance numeric(14, 2),
    PRIMARY KEY (account_id, ledger_position, position),
    FOREIGN KEY (account_id, ledger_position) REFERENCES ledger,
    CHECK (start_date <= end_date),
    CHECK (start_date IS NOT NULL OR closed_at IS NOT NULL)
  );
  CREATE UNIQUE INDEX statement_period_open ON statement_period (account_id, ledger_position)
    WHERE closed_at IS NULL;
  -- For the roll-over.
  CREATE INDEX statement_period_ending ON statement_period (end_date) WHERE closed_at IS NULL;

  CREATE TABLE transaction (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    ledger_position integer NOT NULL,
    period_position integer NOT NULL,
    transaction_id text NOT NULL,
    type text NOT NULL CHECK (type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')),
    amount numeric(12, 2) NOT NULL,
    transaction_date date NOT NULL,
    -- Set if it was moved into the open statement period: the date that was sent, and an explanation.
    original_date date,
    adjustment text,
    reason text,
    details jsonb NOT NULL,
    -- Null for rows that came with the account: the event SCHEDULED of its process has their actor.
    actor text,
    created_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (account_id, ledger_position, period_position) REFERENCES statement_period,
    CHECK ((original_date IS NULL) = (adjustment IS NULL))
  );
  CREATE INDEX transaction_identity ON transaction (account_id, transaction_id);

  CREATE TABLE charged_period (
    id bigint GENERATED ALWAYS AS IDENTITY,
    account_id bigint NOT NULL REFERENCES account,
    -- That of the account, so that a lookup searches one organisation only.
    organisation_id integer NOT NULL,
    supply_point_identifier text NOT NULL,
    start_date date NOT NULL,
    end_date date NOT NULL CHECK (end_date >= start_date),
    PRIMARY KEY (account_id, id)
  );
  -- The hash stands for the supply point, because an entry of an index has a maximum length.
  CREATE INDEX charged_period_days ON charged_period (organisation_id,
    hashtextextended(supply_point_identifier, 0), end_date);

  -- Has writers of charged periods of the same supply points wait for each other, see refuse_exclusive_role.
  CREATE FUNCTION lock_charged_days(organisation_id integer, supply_points text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(lock) FROM (
      SELECT ${lockKey('charged-days', 'lock_charged_days.organisation_id', 'bucket')} AS lock FROM (
        SELECT DISTINCT hashtext(supply_point) & ${LOCK_MASK} AS bucket FROM unnest(supply_points) AS supply_point
      ) buckets ORDER BY lock
    ) locks;
  END $$;

  CREATE FUNCTION refuse_charged_days() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM added) THEN
      RETURN NULL;
    END IF;
    PERFORM lock_charged_days(organisation_id, supply_points) FROM (
      SELECT organisation_id, array_agg(supply_point_identifier) AS supply_points FROM added GROUP BY 1 ORDER BY 1
    ) organisations;
    -- One probe of an index for each supply point: few have been charged to another account at that time. Of stored
    -- periods those that end next after a day decide, as in the lookup of the rule, because those of accounts follow
    -- each other.
    IF NOT EXISTS (
      SELECT FROM (
        SELECT organisation_id, supply_point_identifier, account_id, min(start_date) AS first_day,
          max(end_date) AS last_day, count(*) AS periods
        FROM added GROUP BY 1, 2, 3
      ) point JOIN LATERAL (
        SELECT FROM (
          SELECT account_id, start_date FROM charged_period
          WHERE organisation_id = point.organisation_id
            AND hashtextextended(supply_point_identifier, 0) = hashtextextended(point.supply_point_identifier, 0)
            AND supply_point_identifier = point.supply_point_identifier AND end_date >= point.first_day
          ORDER BY end_date LIMIT 100 + point.periods
        ) stored
        WHERE stored.start_date <= point.last_day AND stored.account_id <> point.account_id LIMIT 1
      ) stored ON true
    ) THEN
      RETURN NULL;
    END IF;
    IF EXISTS (
      SELECT FROM added JOIN LATERAL (
        SELECT FROM (
          SELECT account_id, start_date FROM charged_period
          WHERE organisation_id = added.organisation_id
            AND hashtextextended(supply_point_identifier, 0) = hashtextextended(added.supply_point_identifier, 0)
            AND supply_point_identifier = added.supply_point_identifier AND end_date >= added.start_date
          ORDER BY end_date LIMIT 100
        ) stored
        WHERE stored.start_date <= added.end_date AND stored.account_id <> added.account_id LIMIT 1
      ) stored ON true
    ) THEN
      RAISE EXCEPTION 'Another account was charged for a day of the supply point.'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'charged_period_of_one_account';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER charged_period_added AFTER INSERT ON charged_period
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_charged_days();

  CREATE TABLE payment_instruction (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account,
    type text NOT NULL,
    vendor text NOT NULL,
    reference text NOT NULL,
    customer_reference text,
    instruction_identifier text,
    -- The one ledger that it pays into; empty for all ledgers.
    ledger_code text NOT NULL DEFAULT '',
    is_active boolean NOT NULL,
    verified_at timestamptz,
    details jsonb NOT NULL,
    actor text,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX payment_instruction_account ON payment_instruction (account_id);
  CREATE UNIQUE INDEX payment_instruction_active ON payment_instruction (account_id, type, ledger_code)
    WHERE is_active;
  -- A hash, because a reference may be long; a B-tree, because only its order makes the planner choose the index.
  CREATE INDEX payment_instruction_vendor_reference ON payment_instruction
    (hashtextextended(upper(vendor) || ' ' || reference, 1229933422)) WHERE is_active AND verified_at IS NOT NULL;

  -- The accounts with a mandate, confirmed or not: an import warns of one that another account has.
  CREATE INDEX payment_instruction_mandate ON payment_instruction
    (hashtextextended(upper(vendor) || ' ' || reference, 0)) WHERE is_active;

  -- All active instructions of a vendor reference that its vendor has confirmed belong to one organisation. So it is
  -- enough to compare a new one with one that is stored, and the cost does not grow with the accounts that share a
  -- reference. An instruction that came with an account and was not confirmed says nothing about whose it is.
  CREATE FUNCTION refuse_foreign_reference() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changed_ids bigint[];
  BEGIN
    SELECT array_agg(id) INTO changed_ids FROM changed WHERE is_active AND verified_at IS NOT NULL;
    IF changed_ids IS NULL THEN
      RETURN NULL;
    END IF;
    -- Locks first, in one order: of two concurrent transactions with a reference, the second one sees the first.
    PERFORM pg_advisory_xact_lock(lock) FROM (
      SELECT DISTINCT ${lockKey('vendor-references', `''`, `upper(vendor) || ' ' || reference`)} AS lock
      FROM changed WHERE is_active AND verified_at IS NOT NULL ORDER BY 1
    ) locks;
    -- Scalar subqueries and a range of one value in its order probe an index for each reference, also with a plan
    -- that a session has made while the tables were empty.
    IF EXISTS (
      SELECT FROM (
        SELECT hashtextextended(upper(vendor) || ' ' || reference, 1229933422) AS hash, upper(vendor) AS vendor,
          reference, min(organisation_id) AS first_owner, max(organisation_id) AS last_owner
        FROM (
          SELECT vendor, reference, (
            SELECT organisation_id FROM import_supplier
            WHERE id = (SELECT supplier_id FROM account WHERE account.id = changed.account_id)
          ) AS organisation_id
          FROM changed WHERE is_active AND verified_at IS NOT NULL
        ) owned
        GROUP BY 1, 2, 3
      ) used
      WHERE first_owner <> last_owner OR first_owner <> (
        SELECT organisation_id FROM import_supplier
        WHERE id = (SELECT supplier_id FROM account WHERE account.id = (
          SELECT account_id FROM payment_instruction stored
          WHERE hashtextextended(upper(stored.vendor) || ' ' || stored.reference, 1229933422) >= used.hash
            AND hashtextextended(upper(stored.vendor) || ' ' || stored.reference, 1229933422) <= used.hash
            AND stored.is_active AND stored.verified_at IS NOT NULL AND stored.reference = used.reference AND upper(stored.vendor) = used.vendor
            AND stored.id <> ALL (changed_ids)
          ORDER BY hashtextextended(upper(stored.vendor) || ' ' || stored.reference, 1229933422) LIMIT 1
        ))
      )
    ) THEN
      RAISE EXCEPTION 'The vendor reference has a verified instruction of another organisation.'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'payment_instruction_one_organisation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payment_instruction_added AFTER INSERT ON payment_instruction
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_reference();
  CREATE TRIGGER payment_instruction_changed AFTER UPDATE ON payment_instruction
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_reference();
`;

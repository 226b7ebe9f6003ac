import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The remaining parts of an account: supply, ledgers with their transactions, notes, statements, documents. */
export class WholeAccount1795305600000 implements MigrationInterface {
  readonly name = 'WholeAccount1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE account
        ADD details jsonb NOT NULL DEFAULT '{}',
        ADD cycle_months integer NOT NULL DEFAULT 1 CHECK (cycle_months > 0),
        ADD cycle_start_day smallint NOT NULL DEFAULT 1 CHECK (cycle_start_day BETWEEN 1 AND 31),
        ADD cycle_phase integer NOT NULL DEFAULT 0 CHECK (cycle_phase >= 0 AND cycle_phase < cycle_months);

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
        PRIMARY KEY (account_id, position)
      );

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
        created_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (account_id, ledger_position, period_position) REFERENCES statement_period,
        CHECK ((original_date IS NULL) = (adjustment IS NULL))
      );
      CREATE INDEX transaction_identity ON transaction (account_id, transaction_id);

      CREATE TABLE note (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id bigint NOT NULL REFERENCES account,
        body text,
        created_at timestamptz NOT NULL DEFAULT now(),
        external_id text,
        is_pinned boolean NOT NULL,
        unpin_at timestamptz,
        is_archived boolean NOT NULL,
        document_paths text[] NOT NULL,
        CHECK (body IS NOT NULL OR document_paths <> '{}')
      );
      CREATE INDEX note_account ON note (account_id, id);

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
        enqueued_at timestamptz NOT NULL DEFAULT now(),
        inspected_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT document_path UNIQUE (account_id, path, kind),
        CHECK ((state = 'STORED') = (sha256 IS NOT NULL))
      );
      CREATE INDEX document_pending ON document (enqueued_at) WHERE state = 'PENDING';

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
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX payment_instruction_account ON payment_instruction (account_id);
      CREATE UNIQUE INDEX payment_instruction_active ON payment_instruction (account_id, type, ledger_code)
        WHERE is_active;

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

      -- Charges that are added after the import have no position in the payload.
      ALTER TABLE charged_period DROP CONSTRAINT charged_period_pkey, DROP position,
        ADD id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY;
      CREATE INDEX charged_period_account ON charged_period (account_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX charged_period_account;
      ALTER TABLE charged_period DROP id, ADD position integer;
      UPDATE charged_period period SET position = numbered.position
      FROM (SELECT ctid, row_number() OVER (PARTITION BY account_id ORDER BY ctid) AS position FROM charged_period) numbered
      WHERE numbered.ctid = period.ctid;
      ALTER TABLE charged_period ADD PRIMARY KEY (account_id, position);
      DROP TABLE welcome_email, payment_instruction, document, historical_statement, note, transaction,
        statement_period, ledger, agreement, supply_point;
      ALTER TABLE account DROP details, DROP cycle_months, DROP cycle_start_day, DROP cycle_phase;
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who posted the additions to an account; events that are only ever added; one organisation for a vendor reference. */
export class Attribution1795392120000 implements MigrationInterface {
  readonly name = 'Attribution1795392120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null for rows that came with the account: the event SCHEDULED of its process has their actor.
      ALTER TABLE note ADD actor text;
      ALTER TABLE historical_statement ADD actor text;
      ALTER TABLE transaction ADD actor text;
      ALTER TABLE payment_instruction ADD actor text;
      ALTER TABLE account_request ADD actor text;

      CREATE TRIGGER import_process_event_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON import_process_event
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      -- ALWAYS: it also fires in replica sessions, which skip ordinary triggers.
      ALTER TABLE import_process_event ENABLE ALWAYS TRIGGER import_process_event_kept;

      -- A hash index, because references are compared only as a whole.
      CREATE INDEX payment_instruction_reference ON payment_instruction USING hash (reference) WHERE is_active;
      CREATE FUNCTION refuse_foreign_reference() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM changed WHERE is_active) THEN
          RETURN NULL;
        END IF;
        -- Locks first, in one order: of two concurrent transactions with a reference, the second one sees the first.
        PERFORM pg_advisory_xact_lock(lock) FROM (
          SELECT DISTINCT hashtextextended(upper(vendor) || ' ' || reference, 1229933422) AS lock
          FROM changed WHERE is_active ORDER BY 1
        ) locks;
        IF EXISTS (
          SELECT FROM changed
          JOIN account ON account.id = changed.account_id
          JOIN import_supplier supplier ON supplier.id = account.supplier_id
          JOIN payment_instruction other ON other.reference = changed.reference
            AND upper(other.vendor) = upper(changed.vendor) AND other.is_active
          JOIN account other_account ON other_account.id = other.account_id
          JOIN import_supplier other_supplier ON other_supplier.id = other_account.supplier_id
          WHERE changed.is_active AND other_supplier.organisation_id <> supplier.organisation_id
        ) THEN
          RAISE EXCEPTION 'The vendor reference has an active instruction of another organisation.'
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'payment_instruction_one_organisation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER payment_instruction_added AFTER INSERT ON payment_instruction
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_reference();
      CREATE TRIGGER payment_instruction_changed AFTER UPDATE ON payment_instruction
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_reference();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER payment_instruction_changed ON payment_instruction;
      DROP TRIGGER payment_instruction_added ON payment_instruction;
      DROP FUNCTION refuse_foreign_reference();
      DROP INDEX payment_instruction_reference;
      DROP TRIGGER import_process_event_kept ON import_process_event;
      ALTER TABLE account_request DROP actor;
      ALTER TABLE payment_instruction DROP actor;
      ALTER TABLE transaction DROP actor;
      ALTER TABLE historical_statement DROP actor;
      ALTER TABLE note DROP actor;
    `);
  }
}

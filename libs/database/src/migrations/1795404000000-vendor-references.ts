import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes the cost of an instruction independent of the instructions that are stored. The triggers compared each one with
 * all active ones of the same vendor reference, so that the time of an import grew with the accounts that share a
 * reference, and could read the whole table.
 *
 * As all active instructions of a reference belong to one organisation, it is enough to compare with one of them.
 */
export class VendorReferences1795404000000 implements MigrationInterface {
  readonly name = 'VendorReferences1795404000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Not of the reference: it is short, and only a B-tree has the order that makes the planner choose it.
      CREATE INDEX payment_instruction_vendor_reference ON payment_instruction
        (hashtextextended(upper(vendor) || ' ' || reference, 1229933422)) WHERE is_active;
      DROP INDEX payment_instruction_reference;
      CREATE OR REPLACE FUNCTION refuse_foreign_reference() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed_ids bigint[];
      BEGIN
        SELECT array_agg(id) INTO changed_ids FROM changed WHERE is_active;
        IF changed_ids IS NULL THEN
          RETURN NULL;
        END IF;
        -- Locks first, in one order: of two concurrent transactions with a reference, the second one sees the first.
        PERFORM pg_advisory_xact_lock(lock) FROM (
          SELECT DISTINCT hashtextextended(upper(vendor) || ' ' || reference, 1229933422) AS lock
          FROM changed WHERE is_active ORDER BY 1
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
              FROM changed WHERE is_active
            ) owned
            GROUP BY 1, 2, 3
          ) used
          WHERE first_owner <> last_owner OR first_owner <> (
            SELECT organisation_id FROM import_supplier
            WHERE id = (SELECT supplier_id FROM account WHERE account.id = (
              SELECT account_id FROM payment_instruction stored
              WHERE hashtextextended(upper(stored.vendor) || ' ' || stored.reference, 1229933422) >= used.hash
                AND hashtextextended(upper(stored.vendor) || ' ' || stored.reference, 1229933422) <= used.hash
                AND stored.is_active AND stored.reference = used.reference AND upper(stored.vendor) = used.vendor
                AND stored.id <> ALL (changed_ids)
              ORDER BY hashtextextended(upper(stored.vendor) || ' ' || stored.reference, 1229933422) LIMIT 1
            ))
          )
        ) THEN
          RAISE EXCEPTION 'The vendor reference has an active instruction of another organisation.'
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'payment_instruction_one_organisation';
        END IF;
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payment_instruction_reference ON payment_instruction USING hash (reference) WHERE is_active;
      CREATE OR REPLACE FUNCTION refuse_foreign_reference() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM changed WHERE is_active) THEN
          RETURN NULL;
        END IF;
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
      DROP INDEX payment_instruction_vendor_reference;
    `);
  }
}

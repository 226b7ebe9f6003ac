import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Two functions with the same results as before, which cost every new account less. */
export class CheaperFunctions1795392300000 implements MigrationInterface {
  readonly name = 'CheaperFunctions1795392300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- PostgreSQL starts an executor for each call of an SQL function with a subquery. PL/pgSQL does so for notes
      -- without a body only.
      CREATE OR REPLACE FUNCTION note_identity(body text, document_paths text[]) RETURNS bytea
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
          IF body IS NOT NULL THEN
            RETURN sha256(convert_to('body ' || body, 'UTF8'));
          END IF;
          RETURN sha256(convert_to('documents ' ||
            ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(document_paths) AS path ORDER BY 1)::text, 'UTF8'));
        END $$;

      CREATE OR REPLACE FUNCTION refuse_foreign_reference() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Locks first, in one order: of two concurrent transactions with a reference, the second one sees the first.
        PERFORM pg_advisory_xact_lock(lock) FROM (
          SELECT DISTINCT hashtextextended(upper(vendor) || ' ' || reference, 1229933422) AS lock
          FROM changed WHERE is_active ORDER BY 1
        ) locks;
        IF NOT FOUND THEN
          RETURN NULL;
        END IF;
        -- Organisations are compared only where another account has the reference, which is rare.
        IF EXISTS (
          SELECT FROM changed
          JOIN payment_instruction other ON other.reference = changed.reference
            AND upper(other.vendor) = upper(changed.vendor) AND other.is_active
            AND other.account_id <> changed.account_id
          WHERE changed.is_active AND (
            SELECT organisation_id FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
            WHERE account.id = changed.account_id
          ) <> (
            SELECT organisation_id FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
            WHERE account.id = other.account_id
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
      CREATE OR REPLACE FUNCTION refuse_foreign_reference() RETURNS trigger LANGUAGE plpgsql AS $$
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

      CREATE OR REPLACE FUNCTION note_identity(body text, document_paths text[]) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(CASE WHEN body IS NOT NULL THEN 'body ' || body
          ELSE 'documents ' || ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(document_paths) AS path ORDER BY 1)::text
          END, 'UTF8'))
      $$;
    `);
  }
}

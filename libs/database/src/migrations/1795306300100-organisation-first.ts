import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns, a table and triggers for lookups that search one organisation only. The triggers also serve processes of
 * the previous release, which do not know the columns. The next migration fills existing rows.
 */
export class OrganisationFirst1795306300100 implements MigrationInterface {
  readonly name = 'OrganisationFirst1795306300100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- For an index on texts, numbers and ranges together. A trusted extension: it needs CREATE on the database only.
      -- Its functions have a schema of their own.
      CREATE SCHEMA IF NOT EXISTS portage_extensions;
      CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA portage_extensions;

      ALTER TABLE charged_period ADD organisation_id integer;
      ALTER TABLE debt ADD organisation_id integer;

      CREATE FUNCTION fill_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT supplier.organisation_id INTO NEW.organisation_id
        FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
        WHERE account.id = NEW.account_id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER charged_period_organisation BEFORE INSERT ON charged_period
        FOR EACH ROW WHEN (NEW.organisation_id IS NULL) EXECUTE FUNCTION fill_organisation();
      CREATE TRIGGER debt_organisation BEFORE INSERT ON debt
        FOR EACH ROW WHEN (NEW.organisation_id IS NULL) EXECUTE FUNCTION fill_organisation();

      CREATE TABLE held_role (
        organisation_id integer NOT NULL,
        -- In lower case.
        email text NOT NULL,
        role text NOT NULL,
        account_id bigint NOT NULL REFERENCES account,
        PRIMARY KEY (organisation_id, email, role, account_id)
      );
      CREATE INDEX held_role_account ON held_role (account_id);

      CREATE FUNCTION record_held_roles() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO held_role (organisation_id, email, role, account_id)
        SELECT DISTINCT supplier.organisation_id, lower(customer.email), held.role, customer.account_id
        FROM inserted customer
        CROSS JOIN LATERAL (
          SELECT customer.details ->> 'role' AS role
          UNION ALL
          SELECT jsonb_array_elements_text(list) FROM (VALUES
            (customer.details -> 'portfolio_roles'), (customer.details -> 'account_roles')) AS lists (list)
          WHERE jsonb_typeof(list) = 'array'
        ) held
        JOIN account ON account.id = customer.account_id
        JOIN import_supplier supplier ON supplier.id = account.supplier_id
        -- A longer role is not in an operator's list and does not fit into the index.
        WHERE customer.email IS NOT NULL AND customer.details ?| ARRAY['portfolio_roles', 'account_roles', 'role']
          AND length(held.role) BETWEEN 1 AND 200
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER customer_roles_held AFTER INSERT ON customer
        REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION record_held_roles();

      CREATE FUNCTION delete_held_roles() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM held_role USING deleted WHERE held_role.account_id = deleted.account_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER customer_roles_deleted AFTER DELETE ON customer
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_held_roles();

      -- The identity of a note without its time (contract 4.2), as noteKey in libs/domain defines it: the body, or the
      -- set of documents. A digest, because bodies are longer than an index permits.
      CREATE FUNCTION note_identity(body text, document_paths text[]) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(CASE WHEN body IS NOT NULL THEN 'body ' || body
          ELSE 'documents ' || ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(document_paths) AS path ORDER BY 1)::text
          END, 'UTF8'))
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION note_identity;
      DROP TRIGGER customer_roles_deleted ON customer;
      DROP TRIGGER customer_roles_held ON customer;
      DROP FUNCTION delete_held_roles, record_held_roles;
      DROP TABLE held_role;
      DROP TRIGGER debt_organisation ON debt;
      DROP TRIGGER charged_period_organisation ON charged_period;
      DROP FUNCTION fill_organisation;
      ALTER TABLE debt DROP organisation_id;
      ALTER TABLE charged_period DROP organisation_id;
      DROP EXTENSION btree_gist;
      DROP SCHEMA portage_extensions;
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The operator's settings and lists of the account rules, and tables that those rules look up. */
export class OperatorRules1795219260000 implements MigrationInterface {
  readonly name = 'OperatorRules1795219260000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installation ADD rule_settings jsonb NOT NULL DEFAULT '{}';
      ALTER TABLE import_supplier ADD rule_settings jsonb NOT NULL DEFAULT '{}';

      CREATE TABLE reference_data (
        list text PRIMARY KEY,
        -- json, not jsonb: exported as it was imported.
        entries json NOT NULL,
        imported_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TRIGGER installation_changed AFTER INSERT OR UPDATE OR DELETE ON installation
        FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
      CREATE TRIGGER reference_data_changed AFTER INSERT OR UPDATE OR DELETE ON reference_data
        FOR EACH STATEMENT EXECUTE FUNCTION announce_change();

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
        cais_reference text,
        details jsonb NOT NULL,
        PRIMARY KEY (account_id, position)
      );
      CREATE INDEX debt_cais_reference ON debt (cais_reference) WHERE cais_reference IS NOT NULL;

      CREATE TABLE charged_period (
        account_id bigint NOT NULL REFERENCES account,
        position integer NOT NULL,
        supply_point_identifier text NOT NULL,
        start_date date NOT NULL,
        end_date date NOT NULL,
        PRIMARY KEY (account_id, position)
      );
      CREATE INDEX charged_period_supply_point ON charged_period (supply_point_identifier);

      CREATE INDEX customer_email ON customer (lower(email)) WHERE email IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX customer_email;
      DROP TABLE charged_period, debt, account_reference, reference_data;
      DROP TRIGGER installation_changed ON installation;
      ALTER TABLE import_supplier DROP rule_settings;
      ALTER TABLE installation DROP rule_settings;
    `);
  }
}

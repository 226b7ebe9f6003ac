import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fills what the previous migration added, for existing rows, and builds the indexes of the lookups. The indexes that
 * the previous release searches (`charged_period_supply_point`, `debt_cais_reference`, `customer_email`) stay until no
 * process of it can run.
 */
export class OrganisationFirstIndexes1795306300200 implements MigrationInterface {
  readonly name = 'OrganisationFirstIndexes1795306300200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE charged_period SET organisation_id = supplier.organisation_id
      FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
      WHERE account.id = charged_period.account_id AND charged_period.organisation_id IS NULL;
      UPDATE debt SET organisation_id = supplier.organisation_id
      FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
      WHERE account.id = debt.account_id AND debt.organisation_id IS NULL;
      INSERT INTO held_role (organisation_id, email, role, account_id)
      SELECT DISTINCT supplier.organisation_id, lower(customer.email), held.role, customer.account_id
      FROM customer
      CROSS JOIN LATERAL (
        SELECT customer.details ->> 'role' AS role
        UNION ALL
        SELECT jsonb_array_elements_text(list) FROM (VALUES
          (customer.details -> 'portfolio_roles'), (customer.details -> 'account_roles')) AS lists (list)
        WHERE jsonb_typeof(list) = 'array'
      ) held
      JOIN account ON account.id = customer.account_id
      JOIN import_supplier supplier ON supplier.id = account.supplier_id
      WHERE customer.email IS NOT NULL AND customer.details ?| ARRAY['portfolio_roles', 'account_roles', 'role']
        AND length(held.role) BETWEEN 1 AND 200
      ON CONFLICT DO NOTHING;

      ALTER TABLE charged_period ALTER organisation_id SET NOT NULL;
      ALTER TABLE debt ALTER organisation_id SET NOT NULL;

      -- The hash stands for the supply point: it is small and has a fixed length. Periods that end before they start
      -- were accepted once; they count as their first day.
      CREATE INDEX charged_period_days ON charged_period USING gist (organisation_id,
        hashtextextended(supply_point_identifier, 0), daterange(start_date, greatest(start_date, end_date), '[]'),
        account_id);
      CREATE INDEX debt_reference ON debt (organisation_id, cais_reference, account_id)
        WHERE cais_reference IS NOT NULL;
      CREATE INDEX note_identity ON note (account_id, note_identity(body, document_paths), created_at);

      CREATE INDEX import_supplier_organisation_code ON import_supplier (organisation_id, code);
      DROP INDEX import_supplier_organisation;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX import_supplier_organisation ON import_supplier (organisation_id);
      DROP INDEX import_supplier_organisation_code;
      DROP INDEX note_identity;
      DROP INDEX debt_reference;
      DROP INDEX charged_period_days;
      ALTER TABLE debt ALTER organisation_id DROP NOT NULL;
      ALTER TABLE charged_period ALTER organisation_id DROP NOT NULL;
    `);
  }
}

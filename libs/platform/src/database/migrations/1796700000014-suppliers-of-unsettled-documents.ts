import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sets the supplier of the documents that were missing or refused before. Those that release 1.0.0 settles during the
 * roll-out get it when they are inspected again.
 */
export class SuppliersOfUnsettledDocuments1796700000014 implements MigrationInterface {
  readonly name = 'SuppliersOfUnsettledDocuments1796700000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    UPDATE document SET unsettled_supplier_id = account.supplier_id
    FROM account WHERE account.id = account_id AND state IN ('MISSING', 'REFUSED')`);
  }

  async down(): Promise<void> {
    // The column goes with the migration that has added it.
  }
}

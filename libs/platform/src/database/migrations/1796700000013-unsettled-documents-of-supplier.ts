import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The supplier of a missing or refused document, by which operators list and count them. */
export class UnsettledDocumentsOfSupplier1796700000013 implements MigrationInterface {
  readonly name = 'UnsettledDocumentsOfSupplier1796700000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE document ADD unsettled_supplier_id integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE document DROP unsettled_supplier_id');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The supplier of a supply point, by which another account of the supplier is found. Earlier rows have none. */
export class SupplierOfSupplyPoint1796500000001 implements MigrationInterface {
  readonly name = 'SupplierOfSupplyPoint1796500000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_point ADD supplier_id integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_point DROP supplier_id');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/** Finds the accounts of a supplier that have a supply point. Identifiers can be too long for an index. */
export class SupplyPointIndex1796500000002 implements MigrationInterface {
  readonly name = 'SupplyPointIndex1796500000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'supply_point_identifier',
      'ON supply_point (supplier_id, hashtextextended(identifier, 0)) WHERE supplier_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX supply_point_identifier');
  }
}

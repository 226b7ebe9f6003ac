import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The supplier of a refused line, by which its quota is counted. Lines from before the migration have none. */
export class RefusedLinesOfSupplier1796300000001 implements MigrationInterface {
  readonly name = 'RefusedLinesOfSupplier1796300000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE submission_line ADD refused_supplier_id integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE submission_line DROP refused_supplier_id');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of missing and refused documents, which are few, for `document retry`. */
export class UnsettledDocuments1795305720000 implements MigrationInterface {
  readonly name = 'UnsettledDocuments1795305720000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX document_unsettled ON document (id) WHERE state IN ('MISSING', 'REFUSED')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX document_unsettled');
  }
}

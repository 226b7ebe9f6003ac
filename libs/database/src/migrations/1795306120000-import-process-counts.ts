import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of each supplier's processes by status, for the metrics. */
export class ImportProcessCounts1795306120000 implements MigrationInterface {
  readonly name = 'ImportProcessCounts1795306120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_process_count (
        supplier_id integer NOT NULL REFERENCES import_supplier,
        status text NOT NULL,
        count bigint NOT NULL,
        stuck bigint NOT NULL,
        counted_at timestamptz NOT NULL,
        PRIMARY KEY (supplier_id, status)
      );
      COMMENT ON TABLE import_process_count IS 'Counted once a minute: what instances are asked for must not cost them a scan.';

      -- The count reads this index instead of the table.
      CREATE INDEX import_process_status ON import_process (supplier_id, status);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX import_process_status;
      DROP TABLE import_process_count;
    `);
  }
}

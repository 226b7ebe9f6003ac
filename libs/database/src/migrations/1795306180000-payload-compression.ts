import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Compresses payloads, most of the stored data, with lz4: as small as the default method, in a fraction of the time.
 */
export class PayloadCompression1795306180000 implements MigrationInterface {
  readonly name = 'PayloadCompression1795306180000';

  async up(runner: QueryRunner): Promise<void> {
    // Existing payloads are not rewritten. PostgreSQL reads both formats.
    await runner.query(`
      DO $$ BEGIN
        ALTER TABLE import_process_payload ALTER COLUMN payload SET COMPRESSION lz4;
      EXCEPTION WHEN feature_not_supported THEN
        RAISE NOTICE 'This PostgreSQL was built without lz4: payloads are compressed by its own method.';
      END $$
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_process_payload ALTER COLUMN payload SET COMPRESSION DEFAULT');
  }
}

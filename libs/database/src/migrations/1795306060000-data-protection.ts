import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Retention of payloads, and columns and indexes for the erasure of accounts. */
export class DataProtection1795306060000 implements MigrationInterface {
  readonly name = 'DataProtection1795306060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: the payload is retained as long as the account.
      ALTER TABLE import_supplier ADD retain_payload_days integer CHECK (retain_payload_days BETWEEN 0 AND 36500);

      ALTER TABLE account ADD payload_erased_at timestamptz, ADD erased_at timestamptz,
        ADD CHECK (erased_at IS NULL OR payload_erased_at IS NOT NULL);
      -- For the retention job, the oldest first. Erased payloads are not in the index.
      CREATE INDEX account_payload_kept ON account (supplier_id, created_at) WHERE payload_erased_at IS NULL;

      ALTER TABLE idempotency_key ADD account_id bigint REFERENCES account;
      CREATE INDEX idempotency_key_account ON idempotency_key (account_id) WHERE account_id IS NOT NULL;

      -- Finds other accounts that use a document. A hash index, because paths are long and compared only as a whole.
      CREATE INDEX document_place ON document USING hash (path);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX document_place;
      ALTER TABLE idempotency_key DROP account_id;
      ALTER TABLE account DROP erased_at, DROP payload_erased_at;
      ALTER TABLE import_supplier DROP retain_payload_days;
    `);
  }
}

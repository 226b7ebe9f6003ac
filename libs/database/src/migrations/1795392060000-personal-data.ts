import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasure of processes that have no account, and of everything that requests about an account have left. */
export class PersonalData1795392060000 implements MigrationInterface {
  readonly name = 'PersonalData1795392060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null once it was erased.
      ALTER TABLE import_process ALTER external_identifier DROP NOT NULL;
      ALTER TABLE account ALTER external_identifier DROP NOT NULL;
      UPDATE account SET external_identifier = NULL
      WHERE erased_at IS NOT NULL AND external_identifier <> external_account_number;

      -- For the retention job, the oldest first. A process whose payload was erased has an empty hash.
      CREATE INDEX import_process_payload_kept ON import_process (supplier_id, modified_at)
        WHERE status IN ('DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED') AND payload_hash <> '\\x';

      -- The answer to a request that scheduled an account is erased with its process.
      ALTER TABLE idempotency_key ADD process_id bigint REFERENCES import_process;
      CREATE INDEX idempotency_key_process ON idempotency_key (process_id) WHERE process_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_key DROP process_id;
      DROP INDEX import_process_payload_kept;
      -- An erased identifier cannot be restored. The account number takes its place.
      UPDATE account SET external_identifier = number WHERE external_identifier IS NULL;
      ALTER TABLE account ALTER external_identifier SET NOT NULL;
      UPDATE import_process SET external_identifier = 'erased-' || id WHERE external_identifier IS NULL;
      ALTER TABLE import_process ALTER external_identifier SET NOT NULL;
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Staged accounts (v1) and the requests that process them; two settings of suppliers for the older endpoints; and the
 * indexes of lists of processes by status and of unsettled documents.
 *
 * Processes of the previous release ignore a staged account that waits: its `enqueued_at` is infinite, so no sweeper
 * takes it.
 */
export class StagedAccounts1795392180000 implements MigrationInterface {
  readonly name = 'StagedAccounts1795392180000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE import_process ADD staging text CHECK (staging IN ('WAITING', 'PROCESSING'));
      -- The count of the accounts of a supplier that requests process at the moment.
      CREATE INDEX import_process_processing ON import_process (supplier_id)
        WHERE staging = 'PROCESSING' AND status IN ('PENDING', 'IN_PROGRESS');

      -- Still serves the counts by status, and now the lists of one status as well.
      DROP INDEX import_process_status;
      CREATE INDEX import_process_status ON import_process (supplier_id, status, id);

      CREATE INDEX document_unsettled_account ON document (account_id, id) WHERE state IN ('MISSING', 'REFUSED');

      ALTER TABLE import_supplier
        ADD v1_error_format text NOT NULL DEFAULT 'standard' CHECK (v1_error_format IN ('standard', 'fields')),
        ADD max_processing_accounts integer CHECK (max_processing_accounts > 0);

      -- A request that processes a staged account has no account yet.
      ALTER TABLE account_request
        ALTER account_id DROP NOT NULL,
        ADD process_id bigint REFERENCES import_process ON DELETE CASCADE,
        -- Its client was answered before the outcome was there, so that the same request finds the outcome.
        ADD is_unanswered boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT account_request_kind_check,
        ADD CONSTRAINT account_request_kind_check
          CHECK (kind IN ('transactions', 'payment-instruction', 'process-account')),
        ADD CONSTRAINT account_request_subject_check CHECK ((kind = 'process-account') = (account_id IS NULL)),
        ADD CONSTRAINT account_request_process_check CHECK ((kind = 'process-account') = (process_id IS NOT NULL));
      CREATE INDEX account_request_process ON account_request (process_id) WHERE process_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM account_request WHERE kind = 'process-account';
      ALTER TABLE account_request
        DROP CONSTRAINT account_request_kind_check,
        DROP process_id, DROP is_unanswered,
        ADD CONSTRAINT account_request_kind_check CHECK (kind IN ('transactions', 'payment-instruction')),
        DROP CONSTRAINT account_request_subject_check,
        ALTER account_id SET NOT NULL;

      ALTER TABLE import_supplier DROP v1_error_format, DROP max_processing_accounts;

      DROP INDEX document_unsettled_account;
      DROP INDEX import_process_status;
      CREATE INDEX import_process_status ON import_process (supplier_id, status);

      -- A staged account that waits cannot be processed any more. Its supplier schedules it.
      UPDATE import_process SET status = 'CANCELLED', modified_at = now()
      WHERE staging IS NOT NULL AND status IN ('PENDING', 'IN_PROGRESS');
      ALTER TABLE import_process DROP staging;
    `);
  }
}

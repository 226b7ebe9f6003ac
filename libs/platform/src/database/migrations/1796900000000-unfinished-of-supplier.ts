import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/**
 * The index of the sweeper begins with supplier and status, so that it does not read what a paused supplier holds, and
 * leaves out staged accounts, which it never takes. The sweeper of the previous release sorts the unfinished processes until the roll-out ends.
 */
export class UnfinishedOfSupplier1796900000000 implements MigrationInterface {
  readonly name = 'UnfinishedOfSupplier1796900000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'import_process_unfinished_of_supplier',
      `ON import_process (supplier_id, status, enqueued_at)
        WHERE status IN ('PENDING', 'IN_PROGRESS') AND enqueued_at < 'infinity'`,
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS import_process_unfinished');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX import_process_unfinished ON import_process (enqueued_at)
      WHERE status IN ('PENDING', 'IN_PROGRESS')`);
    await runner.query('DROP INDEX import_process_unfinished_of_supplier');
  }
}

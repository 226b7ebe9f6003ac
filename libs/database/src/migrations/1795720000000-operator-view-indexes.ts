import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/**
 * Finds the processes with an error, and the open submissions, for the pages of operators. The indexes have entries for
 * these only, so that an import without errors does not pay for them.
 */
export class OperatorViewIndexes1795720000000 implements MigrationInterface {
  readonly name = 'OperatorViewIndexes1795720000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'import_process_error',
      'ON import_process (supplier_id, error_code, id) WHERE error_code IS NOT NULL',
    );
    await createIndexConcurrently(runner, 'submission_open', `ON submission (id) WHERE status = 'OPEN'`);
  }

  /** TypeORM undoes migrations in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX submission_open');
    await runner.query('DROP INDEX import_process_error');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/** The documents of an account that were not found so far, for the list of a supplier. */
export class DocumentsNotFoundYet1796600000005 implements MigrationInterface {
  readonly name = 'DocumentsNotFoundYet1796600000005';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'document_pending_account',
      `ON document (account_id, id) WHERE state = 'PENDING'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX document_pending_account');
  }
}

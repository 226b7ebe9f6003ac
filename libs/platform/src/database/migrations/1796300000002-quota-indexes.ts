import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/** The indexes in which quotas are counted, each with the rows of its kind alone. */
const INDEXES: readonly [name: string, definition: string][] = [
  ['submission_open_of_supplier', `ON submission (supplier_id) WHERE status = 'OPEN'`],
  [
    'submission_line_refused_of_supplier',
    'ON submission_line (refused_supplier_id) WHERE refused_supplier_id IS NOT NULL',
  ],
  [
    'import_process_staged',
    `ON import_process (supplier_id) WHERE staging = 'WAITING' AND status = 'PENDING'`,
  ],
  ['audit_entry_tenant', `ON audit_entry (supplier, occurred_at) WHERE actor LIKE 'api-key:%'`],
];

export class QuotaIndexes1796300000002 implements MigrationInterface {
  readonly name = 'QuotaIndexes1796300000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX ${name}`);
  }
}

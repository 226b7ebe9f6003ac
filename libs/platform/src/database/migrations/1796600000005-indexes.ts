import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/** Indexes, each with the rows of its purpose alone. */
const INDEXES: readonly [name: string, definition: string][] = [
  // What quotas limit.
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
  // Finds the accounts of a supplier that have a supply point. Identifiers can be too long for an index.
  [
    'supply_point_identifier',
    'ON supply_point (supplier_id, hashtextextended(identifier, 0)) WHERE supplier_id IS NOT NULL',
  ],
  // The documents of an account that were not found so far, for the list of a supplier.
  ['document_pending_account', `ON document (account_id, id) WHERE state = 'PENDING'`],
];

/** The indexes of the columns before, and of tables of release 1.0.0. */
export class Indexes1796600000005 implements MigrationInterface {
  readonly name = 'Indexes1796600000005';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX ${name}`);
  }
}

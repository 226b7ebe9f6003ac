import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/create-index-concurrently';

/** What waits for an operator: each kind has an index that has nothing else. */
const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  [
    'import_process_awaiting_release',
    // No other index has this order, so that no plan can read another one.
    `ON import_process (supplier_id, is_dry_run, id) WHERE status = 'DRY_RUN_SUCCEEDED'`,
  ],
  [
    'document_unsettled_of_supplier',
    `ON document (unsettled_supplier_id, state, id) WHERE state IN ('MISSING', 'REFUSED')`,
  ],
  [
    'account_request_instruction_outcome',
    `ON account_request (coalesce(outcome ->> 'kind', 'waiting'), id) WHERE kind = 'payment-instruction'`,
  ],
  ['submission_event_unreconciled', 'ON submission_event (supplier_id, submission_id) WHERE NOT reconciled'],
];

/** The indexes of the action items of operators, and of their lists of payment instructions and documents. */
export class ActionItemIndexes1796700000015 implements MigrationInterface {
  readonly name = 'ActionItemIndexes1796700000015';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX ${name}`);
  }
}

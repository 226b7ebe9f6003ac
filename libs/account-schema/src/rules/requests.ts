import { type Rule, useCaseRule } from './engine/rule';

/** Rules about a request after the import as a whole, which are answered while its account is being found. */
export const REQUEST_RULES: readonly Rule[] = [
  useCaseRule({
    code: 'import_process_does_not_exist',
    path: 'external_account_number',
    needs: ['stored: import processes'],
    evaluatedBy: 'the use case of each request after the import, which answers 404',
    why: 'What is sent after the import is for an account that was sent before.',
  }),
  useCaseRule({
    code: 'account_not_found',
    path: 'external_account_number',
    needs: ['stored: imported accounts'],
    evaluatedBy: 'the use case of each request after the import, which answers 404',
    why: 'What is sent after the import is for an account that exists.',
  }),
  useCaseRule({
    code: 'import_supplier_migration_not_ongoing',
    path: 'import_supplier',
    needs: ['supplier: migration_state'],
    evaluatedBy: 'every use case that takes something from a supplier',
    why: 'A supplier whose migration is paused or complete sends nothing.',
  }),
  useCaseRule({
    code: 'historical_statement_already_exists',
    path: 'statements.<i>.statement_id',
    needs: ['stored: historical statements of the account'],
    evaluatedBy: 'the use case that adds historical statements',
    why: 'A statement is told from others by its id, and added once.',
  }),
];

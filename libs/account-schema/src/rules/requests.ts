import { type Rule, useCaseRule } from './engine/rule';

const NUMBER = ['external_account_number'] as const;
const ADDRESSED_ACCOUNT = {
  notesRequest: NUMBER,
  paymentInstructionRequest: NUMBER,
  statementsRequest: NUMBER,
  transactionsRequest: NUMBER,
};

const SUPPLIER = ['import_supplier'] as const;
const IMPORT_SUPPLIER = {
  account: SUPPLIER,
  notesRequest: SUPPLIER,
  paymentInstructionRequest: SUPPLIER,
  statementsRequest: SUPPLIER,
  transactionsRequest: SUPPLIER,
};

/** Rules about whole requests after the import, checked by the use cases when they look up the account. */
export const REQUEST_RULES: readonly Rule[] = [
  useCaseRule({
    code: 'import_process_does_not_exist',
    cost: 'one probe a request',
    at: ADDRESSED_ACCOUNT,
    needs: ['stored: import processes'],
    checkedIn: 'the use case of each request after the import, with status 404',
    reason: 'The account must have been sent for import first.',
  }),
  useCaseRule({
    code: 'account_not_found',
    cost: 'one probe a request',
    at: ADDRESSED_ACCOUNT,
    needs: ['stored: imported accounts'],
    checkedIn: 'the use case of each request after the import, with status 404',
    reason: 'The account must have been imported first.',
  }),
  useCaseRule({
    code: 'import_supplier_migration_not_ongoing',
    cost: 'one probe a request',
    at: IMPORT_SUPPLIER,
    needs: ['supplier: migration_state'],
    checkedIn: 'every use case that accepts data from a supplier',
    reason: 'A supplier may send data only while its migration is ongoing.',
  }),
  useCaseRule({
    code: 'historical_statement_already_exists',
    cost: 'one probe a value',
    at: { statement: ['statement_id'] },
    needs: ['stored: historical statements of the account'],
    checkedIn: 'the use case that adds historical statements',
    reason: 'A statement is identified by its id and added once.',
  }),
];

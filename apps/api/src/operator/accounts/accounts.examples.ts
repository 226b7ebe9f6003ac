/** An example of `Account`. */
export const exampleAccount = {
  platform_account_number: 'A-9c41e07b',
  import_supplier: 'DEMO',
  customers: [],
  ledgers: [],
  external_account_number: 'A-100231',
  page: 1,
  totals: { transactions: 7, notes: 1, historical_statements: 0, documents: 1, payment_instructions: 0 },
};

/** An example of `ErasedAccount`. */
export const exampleErasedAccount = {
  platform_account_number: 'A-9c41e07b',
  erased_at: '2026-11-22T10:02:11.120Z',
  was_erased_before: false,
  removed_documents: ['demo/statement-1.pdf'],
  left_documents: [],
};

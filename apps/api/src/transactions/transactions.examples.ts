const payment = {
  transaction_id: 'PI-03',
  transaction_date: '2026-11-03',
  type: 'PAYMENT',
  amount: 40.5,
  payment_type: 'DD_REGULAR_COLLECTION',
  reason: 'ACCOUNT_CHARGE_PAYMENT',
  reference: 'DDM-77120-05',
};

const charge = {
  transaction_id: 'PI-04',
  transaction_date: '2026-10-28',
  type: 'CHARGE',
  amount: 12,
  reason: 'IMPORTED_CHARGE',
  display_note: 'For the late reply to your letter.',
};

/** A body with two transactions. */
export const exampleTransactions = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  transactions: [payment, charge],
};

/** The results for {@link exampleTransactions}. */
export const exampleResults = {
  results: [
    {
      status: 'TRANSACTION_ALREADY_EXISTS',
      transaction_data: { ...payment, amount: '40.50', status: 'TRANSACTION_IMPORT_SUCCESS' },
    },
    {
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data: { ...charge, amount: '12.00' },
      moved_from: '2026-10-28',
      moved_to: '2026-11-01',
    },
  ],
};

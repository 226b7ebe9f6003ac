/** A body with one statement, which is the answer as well. */
export const exampleStatements = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  statements: [
    {
      statement_id: 'ST-2024-05',
      number: 'INV-2024-05-100231',
      bill_period_from_date: '2024-05-01',
      bill_period_to_date: '2024-05-31',
      issued_date: '2024-06-03',
      gross_amount: 11261,
      statement_path: 'A-100231/2024-05.pdf',
    },
  ],
};

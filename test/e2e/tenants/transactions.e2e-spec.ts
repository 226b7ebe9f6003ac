import { anyBackend, SharedPortage } from '@portage/testing';

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

const payment = (id: string, amount: unknown) => ({
  transaction_id: id,
  transaction_date: '2024-06-15',
  type: 'PAYMENT',
  amount,
});

describe('POST transactions/create', () => {
  const portage = SharedPortage.use(anyBackend());

  const create = async (...transactions: object[]) =>
    portage.post('/v1/data-import/transactions/create/', { ...portage.about('N-1'), transactions });

  // Contract, "Add transactions".
  it('answers 201 with a result for each, and skips transactions that were added before', async () => {
    await portage.importAccount('N-1');
    // Into the open statement period.
    const moved = {
      moved_from: '2024-06-15',
      moved_to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    };
    const first = await create(payment('P-1', 10), payment('P-2', 0.1));
    expect([first.status, first.body]).toEqual([
      201,
      {
        results: [
          { status: ADDED, transaction_data: payment('P-1', '10.00'), ...moved },
          { status: ADDED, transaction_data: payment('P-2', '0.10'), ...moved },
        ],
      },
    ]);
    const again = await create(payment('P-2', 0.1), payment('P-3', 5));
    expect(again.body.results).toEqual([
      {
        status: EXISTS,
        transaction_data: { ...payment('P-2', '0.10'), status: 'TRANSACTION_IMPORT_SUCCESS' },
      },
      { status: ADDED, transaction_data: payment('P-3', '5.00'), ...moved },
    ]);
    const stored = await portage.sql(
      `SELECT transaction_id AS id, balance FROM transaction JOIN ledger USING (account_id)
       JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = account.supplier_id
       WHERE supplier.code = $1 ORDER BY transaction.id`,
      [portage.supplier],
    );
    expect(stored).toEqual(['P-1', 'P-2', 'P-3'].map((id) => ({ id, balance: '15.10' })));
  });
});

import { type Answer, SharedPortage, anyBackend } from '@portage/testing';

const PATH = '/v1/data-import/transactions/create/';
const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

const payment = (id: string, amount: unknown = 10) => ({
  transaction_id: id,
  transaction_date: '2024-06-15',
  type: 'PAYMENT',
  amount,
});

describe('POST transactions/create', () => {
  const portage = SharedPortage.use(anyBackend());

  let imported = 0;
  /** Imports an account for one test. Returns its external account number. */
  async function importedAccount(): Promise<string> {
    const number = `N-${imported++}`;
    await portage.importAccount(number);
    return number;
  }

  const create = async (
    number: string,
    transactions: unknown,
    {
      query = '',
      headers = {},
      ...more
    }: { query?: string; headers?: Record<string, string>; dry_run?: boolean } = {},
  ): Promise<Answer> =>
    portage.post(`${PATH}${query}`, { ...portage.about(number), transactions, ...more }, headers);

  /** The dates of a transaction that was moved into the open statement period. */
  const moved = { moved_from: '2024-06-15', moved_to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string };

  const stored = async (number: string) =>
    portage.sql<{ id: string; balance: string }>(
      `SELECT transaction_id AS id, balance FROM transaction JOIN ledger USING (account_id)
       JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = account.supplier_id
       WHERE external_account_number = $1 AND supplier.code = $2 ORDER BY transaction.id`,
      [number, portage.supplier],
    );

  // Contract, "Add transactions".
  it('answers 201 with a result for each, and skips transactions that were added before', async () => {
    const number = await importedAccount();
    const first = await create(number, [payment('P-1', 10), payment('P-2', 0.1)]);
    expect([first.status, first.body]).toEqual([
      201,
      {
        results: [
          { status: ADDED, transaction_data: payment('P-1', '10.00'), ...moved },
          { status: ADDED, transaction_data: payment('P-2', '0.10'), ...moved },
        ],
      },
    ]);
    const again = await create(number, [payment('P-2', 0.1), payment('P-3', 5)]);
    expect(again.body.results).toEqual([
      {
        status: EXISTS,
        transaction_data: { ...payment('P-2', '0.10'), status: 'TRANSACTION_IMPORT_SUCCESS' },
      },
      { status: ADDED, transaction_data: payment('P-3', '5.00'), ...moved },
    ]);
    expect(await stored(number)).toEqual(['P-1', 'P-2', 'P-3'].map((id) => ({ id, balance: '15.10' })));
  });
});

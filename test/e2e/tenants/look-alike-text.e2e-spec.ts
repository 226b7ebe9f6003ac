import { SharedPortage, anyBackend } from '@portage/testing';

const COMPOSED = 'M\u00fcller 1';
/** The same to a reader: another form of Unicode, and a no-break space. */
const DECOMPOSED = 'Mu\u0308ller\u00a01';

describe('identifiers that look alike', () => {
  const portage = SharedPortage.use(anyBackend());

  beforeAll(async () => {
    expect((await portage.schedule(portage.account(DECOMPOSED))).status).toBe(201);
    await portage.waitForAccount(COMPOSED, 'PROCESSED');
  });

  it('are one account, in bodies and in paths, which is answered in its one spelling', async () => {
    const again = await portage.schedule(portage.account(COMPOSED));
    expect([again.status, again.body.non_field_errors.code]).toEqual([
      400,
      'account_import_process_already_imported',
    ]);
    for (const number of [COMPOSED, DECOMPOSED]) {
      const path = `/v2/data-import/accounts/${portage.supplier}/${encodeURIComponent(number)}/`;
      expect([number, (await portage.get(path)).status]).toEqual([number, 200]);
    }
    expect(
      await portage.sql(
        `SELECT external_account_number AS number FROM import_process process
         JOIN import_supplier supplier ON supplier.id = process.supplier_id WHERE supplier.code = $1`,
        [portage.supplier],
      ),
    ).toEqual([{ number: COMPOSED }]);
  });

  it('are one transaction, which is added once', async () => {
    const add = async (id: string) =>
      portage.post('/v1/data-import/transactions/create/', {
        ...portage.about(DECOMPOSED),
        transactions: [{ transaction_id: id, transaction_date: '2024-06-15', type: 'PAYMENT', amount: 10 }],
      });
    const first = await add('Caf\u00e9\u30001');
    const second = await add('Cafe\u0301 1');
    expect([first.body.results, second.body.results]).toMatchObject([
      [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { transaction_id: 'Caf\u00e9 1' } }],
      [{ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: { transaction_id: 'Caf\u00e9 1' } }],
    ]);
  });

  it('are refused with an invisible character', async () => {
    const account = portage.account('A\u200b1', {
      customers: [{ family_name: 'Hale', email: 'hale\u200bx@example.org' }],
    });
    const { body } = await portage.post('/v2/data-import/accounts/validate/', account);
    expect(body.errors).toMatchObject([
      { attr: 'external_account_number', code: 'invalid' },
      { attr: 'customers.0.email', code: 'invalid' },
    ]);
    expect((await portage.schedule(account)).status).toBe(400);
    const path = `/v2/data-import/accounts/${portage.supplier}/${encodeURIComponent(`${COMPOSED}\u200b`)}/`;
    expect((await portage.get(path)).status).toBe(404);
  });
});

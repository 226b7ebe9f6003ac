import { SharedPortage, testedBackends } from '@portage/testing';

const SUBMISSIONS = '/v2/data-import/submissions/';

describe.each(testedBackends())('a submission of additions, with the queue in %s', (backend) => {
  const portage = SharedPortage.use(backend);

  it('is performed, read back and reconciled', async () => {
    await portage.importAccount('adds');
    const expected = { lines: 4, notes: 1, payments: 1, payment_total: '20.00', statements: 1 };
    const id = await portage.openSubmission('all kinds', { kind: 'additions', expected });
    const payment = {
      transaction_id: 'T-1',
      transaction_date: new Date().toISOString().slice(0, 10),
      type: 'PAYMENT',
      reason: 'ACCOUNT_CHARGE_PAYMENT',
      amount: '20.00',
    };
    const statement = {
      statement_id: 'S-1',
      bill_period_from_date: '2025-12-01',
      bill_period_to_date: '2025-12-31',
      gross_amount: 1250,
    };
    const lines = [
      { notes: { ...portage.about('adds'), notes: [{ body: 'Prefers letters.', external_id: 'N-1' }] } },
      { transactions: { ...portage.about('adds'), transactions: [payment] } },
      { historical_statements: { ...portage.about('adds'), statements: [statement] } },
      { notes: { ...portage.about('unknown'), notes: [{ body: 'For an account that is not there.' }] } },
    ];
    const answer = await portage.upload(id, lines, {}, 'additions');
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    await portage.completeSubmission(id);
    const { counts } = (await portage.waitForSubmission(id)).body;
    expect(counts).toMatchObject({ received: 4, processed: 3, errored: 1 });
    const { body: read } = await portage.get(
      `/v2/data-import/accounts/${portage.supplier}/adds/additions/?kind=transactions`,
    );
    expect(read).toMatchObject({ items: [{ transaction_id: 'T-1', amount: '20.00' }] });
    const { body: reconciliation } = await portage.get(`${SUBMISSIONS}${id}/reconciliation/`);
    expect(reconciliation).toMatchObject({ unfinished: 0, reconciled: false });
    expect(await portage.results(id, '?outcome=errored')).toMatchObject([
      { line: 4, kind: 'notes', errors: [{ code: 'account_not_found' }] },
    ]);
  });
});

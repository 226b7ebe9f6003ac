import { AddHistoricalStatements } from '@portage/accounts';
import { type Measure, type MeasureValues } from '@portage/imports';
import {
  eraseAccount,
  ImportedTestAccount,
  payment,
  TestSubmission,
  useApplication,
} from '@portage/testing/application';
import { ReconcileSubmission } from './reconcile-submission';

const POINT = {
  supply_type: 'ELECTRICITY',
  identifier: '1000000000110',
  supply_start_date: '2020-01-01',
};

const METERS = [
  { transfer_readings: [{ reading_value: '1' }], reading_history: [{ reading_value: '1' }] },
  { transfer_readings: null, reading_history: [{ reading_value: '1' }] },
  {},
];

/** An account with something in every measure. */
const BODY = {
  customers: [
    { given_name: 'Ada', family_name: 'Byron', email: 'ada@example.org' },
    { given_name: 'Charles', family_name: 'Babbage' },
  ],
  transfer_balance: '-113.40',
  ledgers: [
    {
      ledger_code: 'ENERGY',
      ledger_balance: '-120.45',
      last_statement_balance: '-126.95',
      historical_statement_transactions: [
        { ...payment('H-1', '126.95', '2020-02-01'), type: 'CHARGE', reason: 'SERVICE_ORDER' },
      ],
      current_statement_transactions: [
        payment('C-1', '5.50', '2020-03-01'),
        payment('C-2', '1.00', '2020-03-01'),
      ],
    },
    {
      ledger_code: 'BOILER',
      ledger_balance: '7.05',
      current_statement_transactions: [payment('B-1', '7.05', '2020-03-01')],
    },
  ],
  statements: [
    {
      statement_id: 'S-1',
      bill_period_from_date: '2020-01-01',
      bill_period_to_date: '2020-01-31',
      gross_amount: 12695,
      statement_path: 'S-1.pdf',
    },
  ],
  notes: [{ document_paths: [{ document_path: 'letter.pdf' }, { document_path: 'S-1.pdf' }] }],
};
const MEASURES_OF_BODY: Partial<MeasureValues> = {
  customers: 2,
  statements: 1,
  transactions: 4,
  opening_balance: '-113.40',
  opening_debits: '-120.45',
  opening_credits: '7.05',
  statement_total: 12695,
  documents: 3,
};

const test = useApplication();

const reconcile = async ({ id }: TestSubmission) => test.app.get(ReconcileSubmission).reconcile(id);

/** The measures whose difference is not zero, with it. */
async function differencesOf(submission: TestSubmission): Promise<Partial<Record<Measure, number | string>>> {
  const { measures } = await reconcile(submission);
  return Object.fromEntries(
    measures
      .filter(({ difference }) => Number(difference) !== 0)
      .map(({ measure, difference }) => [measure, difference]),
  );
}

describe('the reconciliation of a submission', () => {
  it('compares what was expected, received, refused and imported, for every measure', async () => {
    const submission = await TestSubmission.open(test, 'all', { accounts: 5, opening_balance: '-200' });
    await submission.account('A-1', BODY, MEASURES_OF_BODY);
    await submission.account('A-2', {}, {});
    await submission.refused('A-3', [], { customers: 4, opening_balance: '-50.05' });
    await submission.ended('A-4', 'ERRORED', { transactions: 9 });
    await submission.ended('A-5', 'CANCELLED', { debts: 1 });
    await submission.complete();
    const reconciliation = await reconcile(submission);
    expect(reconciliation).toMatchObject({
      id: submission.id,
      import_supplier: 'LEGACY',
      reference: 'all',
      counted_at: expect.any(String) as string,
      unfinished: 0,
      dry_run_succeeded: 0,
      erased: 0,
      reconciled: false,
    });
    const { measures } = reconciliation;
    const row = (measure: Measure) => {
      const { expected, received, imported, refused_or_errored, erased, difference } = measures.find(
        (one) => one.measure === measure,
      )!;
      return [expected, received, refused_or_errored, imported, erased, difference];
    };
    expect(row('accounts')).toEqual([5, 5, 3, 2, 0, -3]);
    expect(row('customers')).toEqual([null, 6, 4, 2, 0, 0]);
    expect(row('statements')).toEqual([null, 1, 0, 1, 0, 0]);
    expect(row('transactions')).toEqual([null, 13, 9, 4, 0, 0]);
    expect(row('debts')).toEqual([null, 1, 1, 0, 0, 0]);
    expect(row('opening_balance')).toEqual(['-200', '-163.45', '-50.05', '-113.40', '0.00', '86.60']);
    expect(row('opening_debits')).toEqual([null, '-120.45', '0.00', '-120.45', '0.00', '0.00']);
    expect(row('opening_credits')).toEqual([null, '7.05', '0.00', '7.05', '0.00', '0.00']);
    expect(row('statement_total')).toEqual([null, 12695, 0, 12695, 0, 0]);
    expect(row('documents')).toEqual([null, 3, 0, 3, 0, 0]);
    expect(measures.at(-1)).toMatchObject({ measure: 'documents', missing: 3 });
    await submission.sql(`UPDATE document SET state = 'REFUSED' WHERE kind = 'statement'`);
    expect((await reconcile(submission)).measures.at(-1)).toMatchObject({ missing: 2, difference: 0 });
  });

  it('is reconciled once all is imported, and not before or while accounts are unfinished', async () => {
    const submission = await TestSubmission.open(test, 'end', { accounts: 2, customers: 4 });
    await submission.account('E-1', BODY, MEASURES_OF_BODY);
    const id = await submission.ended('E-2', 'PENDING', { customers: 2 });
    await submission.complete();
    expect(await reconcile(submission)).toMatchObject({ reconciled: false, unfinished: 1 });
    await submission.sql(`UPDATE import_process SET status = 'DRY_RUN_SUCCEEDED' WHERE id = $1`, [id]);
    expect(await reconcile(submission)).toMatchObject({
      reconciled: false,
      counted_at: expect.any(String) as string,
      unfinished: 0,
      dry_run_succeeded: 1,
    });
    await submission.sql(`UPDATE import_process SET status = 'CANCELLED' WHERE id = $1`, [id]);
    expect(await differencesOf(submission)).toEqual({ accounts: -1, customers: -2 });
    await submission.account('E-3', {}, {});
    await submission.sql(`UPDATE submission SET expected = '{"accounts": 2, "customers": 2}' WHERE id = $1`, [
      submission.id,
    ]);
    expect(await reconcile(submission)).toMatchObject({ reconciled: true, unfinished: 0 });
    await submission.sql(`UPDATE submission SET status = 'OPEN', completed_at = NULL WHERE id = $1`, [
      submission.id,
    ]);
    expect(await reconcile(submission)).toMatchObject({ reconciled: false });
  });

  it('compares a rehearsal by what would be imported, also once a part of it was released', async () => {
    const submission = await TestSubmission.open(test, 'rehearsal', {
      accounts: 2,
      opening_balance: '-113.40',
    });
    await submission.sql('UPDATE submission SET is_dry_run = true WHERE id = $1', [submission.id]);
    await submission.ended('H-1', 'DRY_RUN_SUCCEEDED', MEASURES_OF_BODY);
    const id = await submission.ended('H-2', 'PENDING');
    await submission.complete();
    expect(await reconcile(submission)).toMatchObject({ reconciled: false, is_dry_run: true, unfinished: 1 });
    await submission.sql(`UPDATE import_process SET status = 'DRY_RUN_SUCCEEDED' WHERE id = $1`, [id]);
    const { measures, ...rest } = await reconcile(submission);
    expect(rest).toMatchObject({ reconciled: true, is_dry_run: true, dry_run_succeeded: 2 });
    expect(measures[0]).toMatchObject({ expected: 2, imported: 0, would_be_imported: 2, difference: 0 });
    await submission.sql(
      `UPDATE import_process SET status = 'DRY_RUN_ERRORED', error_code = 'error' WHERE id = $1`,
      [id],
    );
    expect(await differencesOf(submission)).toEqual({ accounts: -1 });
    await submission.account('H-3');
    const released = await reconcile(submission);
    expect(released.measures[0]).toMatchObject({ imported: 1, would_be_imported: 1, difference: 0 });
    expect(released.reconciled).toBe(true);
  });

  it('does not count what requests have added since the import', async () => {
    const submission = await TestSubmission.open(test, 'later');
    await submission.account('L-1', BODY, MEASURES_OF_BODY);
    await submission.complete();
    const account = await ImportedTestAccount.find(test, 'L-1');
    await account.add([payment('P-1', '10.00')]);
    await account.sql(
      `INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
         transaction_date, details, actor)
       SELECT $1, 0, 1, type || to_meter, type, 2.5, '2024-01-01', details::jsonb, 'api-key:test'
       FROM (VALUES ('CHARGE', '', '{}'), ('REPAYMENT', '', '{}'), ('CREDIT', '', '{}'), ('SUPPLY_CHARGE', '', '{}'),
         ('PAYMENT', '1', '{"to_prepay_meter_serial_number": "METER"}')) AS added (type, to_meter, details)`,
    );
    // As posting them does: three are subtracted, one is added, and the meter's does not count.
    await account.sql('UPDATE ledger SET balance = balance - 5 WHERE account_id = $1 AND position = 0');
    await test.app.get(AddHistoricalStatements).add({
      ...test.caller,
      body: {
        import_supplier: 'LEGACY',
        external_account_number: 'L-1',
        statements: [
          { statement_id: 'S-2', bill_period_from_date: '2020-02-01', bill_period_to_date: '2020-02-29' },
        ],
      },
    });
    await account.sql(
      `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details, actor)
       VALUES ($1, 'CARD', 'STRIPE', 'pm_later', true, '{}', 'api-key:test')`,
    );
    expect(await differencesOf(submission)).toEqual({});
    expect((await reconcile(submission)).reconciled).toBe(true);
  });

  it('counts an imported payment instruction that a request has confirmed since', async () => {
    const submission = await TestSubmission.open(test, 'confirmed');
    await submission.account('I-1', {}, { payment_instructions: 1 });
    await submission.complete();
    const account = await ImportedTestAccount.find(test, 'I-1');
    await account.sql(
      `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details, actor, created_at)
       SELECT id, 'CARD', 'STRIPE', 'pm_1', true, '{}', 'api-key:test', created_at FROM account WHERE id = $1`,
    );
    expect(await differencesOf(submission)).toEqual({});
  });

  it('shows what has disappeared from each table', async () => {
    const submission = await TestSubmission.open(test, 'damaged');
    const more = { supply_points: 1, readings: 3, payment_instructions: 1, debts: 1 };
    await submission.account('D-1', BODY, { ...MEASURES_OF_BODY, ...more });
    await submission.account('D-2');
    await submission.complete();
    const account = await ImportedTestAccount.find(test, 'D-1');
    await account.sql(
      `INSERT INTO supply_point (account_id, supplier_id, position, supply_address_position, supply_type, identifier,
         supply_start_date, meters, details)
       SELECT id, supplier_id, 0, 0, $2, $3, $4, $5, '{}' FROM account WHERE id = $1`,
      [POINT.supply_type, POINT.identifier, POINT.supply_start_date, JSON.stringify(METERS)],
    );
    await account.sql(
      `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details)
       VALUES ($1, 'CARD', 'STRIPE', 'pm_2', true, '{}')`,
    );
    await account.sql(
      `INSERT INTO debt (account_id, position, organisation_id, details) VALUES ($1, 0, $2, '{}')`,
      [test.organisationId],
    );
    expect(await differencesOf(submission)).toEqual({});
    const lost = async (
      measure: Measure,
      difference: number | string,
      damage: string,
      others: Partial<MeasureValues> = {},
    ) => {
      const before = await differencesOf(submission);
      await account.sql(damage);
      expect(await differencesOf(submission)).toEqual({ ...before, [measure]: difference, ...others });
      expect((await reconcile(submission)).reconciled).toBe(false);
    };
    await lost('customers', -1, 'DELETE FROM customer WHERE account_id = $1 AND position = 1');
    await lost(
      'readings',
      -1,
      `UPDATE supply_point SET meters = jsonb_set(meters, '{0,reading_history}', '[]') WHERE account_id = $1`,
    );
    await lost('supply_points', -1, 'DELETE FROM supply_point WHERE account_id = $1', { readings: -3 });
    await lost('documents', -1, `DELETE FROM document WHERE account_id = $1 AND kind = 'statement'`);
    await lost(
      'statement_total',
      -1,
      'UPDATE historical_statement SET gross_amount = gross_amount - 1 WHERE account_id = $1',
    );
    await lost('statements', -1, 'DELETE FROM historical_statement WHERE account_id = $1', {
      statement_total: -12695,
    });
    await lost(
      'transactions',
      -1,
      `DELETE FROM transaction WHERE account_id = $1 AND transaction_id = 'C-2'`,
    );
    await lost(
      'opening_balance',
      '-0.01',
      'UPDATE ledger SET balance = balance - 0.01 WHERE account_id = $1 AND position = 1',
      { opening_credits: '-0.01' },
    );
    await lost('payment_instructions', -1, 'DELETE FROM payment_instruction WHERE account_id = $1');
    await lost('debts', -1, 'DELETE FROM debt WHERE account_id = $1');
    await submission.sql(
      `DELETE FROM statement_period USING account WHERE account_id = account.id AND external_account_number = 'D-2'`,
    );
    await submission.sql(
      `DELETE FROM ledger USING account WHERE account_id = account.id AND external_account_number = 'D-2'`,
    );
    await lost(
      'accounts',
      -1,
      `DELETE FROM account WHERE $1::bigint <> id AND external_account_number = 'D-2'`,
    );
  });

  it('shows a debt that has become a credit while the sum of all balances is right', async () => {
    const submission = await TestSubmission.open(test, 'signs', { opening_balance: '0.00' });
    const none = { opening_balance: '0.00' };
    await submission.account('G-1', { transfer_balance: '0.00' }, none);
    await submission.account('G-2', { transfer_balance: '0.00' }, none);
    await submission.complete();
    expect(await differencesOf(submission)).toEqual({});
    await submission.sql(
      `UPDATE ledger SET balance = CASE external_account_number WHEN 'G-1' THEN 5 ELSE -5 END
       FROM account WHERE account.id = account_id AND external_account_number IN ('G-1', 'G-2')`,
    );
    expect(await differencesOf(submission)).toEqual({ opening_debits: '-5.00', opening_credits: '5.00' });
    expect((await reconcile(submission)).reconciled).toBe(false);
  });

  it('shows an account whose line is lost, which no count of lines would show', async () => {
    const submission = await TestSubmission.open(test, 'line');
    const process = await submission.account('N-1', BODY, MEASURES_OF_BODY);
    await submission.account('N-2');
    await submission.complete();
    await submission.sql('DELETE FROM submission_line WHERE process_id = $1', [process]);
    expect(await differencesOf(submission)).toMatchObject({ accounts: 1, customers: 2 });
  });

  it('names the measures of erased accounts instead of a difference', async () => {
    const submission = await TestSubmission.open(test, 'erased', { accounts: 2, opening_balance: '-113.40' });
    await submission.account('X-1', BODY, MEASURES_OF_BODY);
    await submission.account('X-2');
    await submission.complete();
    await eraseAccount(test, 'X-1');
    const { measures, ...rest } = await reconcile(submission);
    expect(rest).toMatchObject({ reconciled: true, erased: 1 });
    expect(measures.slice(0, 2)).toMatchObject([
      { imported: 1, erased: 1, difference: 0 },
      { imported: 0, erased: 2, difference: 0 },
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '@portage/platform';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { ImportedTestAccount, payment, supplyCharge, useApplication } from '@portage/testing/application';
import { TransactionRepository } from './transaction.repository';

const EXAMPLES = join(__dirname, '..', '..', '..', 'account-schema', 'test', 'examples', 'post-import');
const EXAMPLE = JSON.parse(readFileSync(join(EXAMPLES, 'transactions.json'), 'utf8')) as {
  transactions: Record<string, unknown>[];
};

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

describe('adding transactions to an imported account (contract, "Add transactions")', () => {
  const test = useApplication();
  let next = 0;

  /** Imported, with June 2024 for its open statement period and a balance of 0.00. */
  const imported = async (more: object = {}) => {
    const account = await ImportedTestAccount.create(test, `T-${next++}`, more);
    return account.withOpenPeriod('2024-06-01', '2024-06-30');
  };

  it('stores every field of all five kinds as sent, and answers in the order of the request', async () => {
    const account = await imported();
    // Contract, "Transaction": amounts are sent as JSON numbers.
    const sent = EXAMPLE.transactions.map((one) => ({ ...one, amount: Number(one['amount']) }));
    const { results, ignoredFields } = await account.add(sent);
    expect(results).toEqual(
      EXAMPLE.transactions.map((one) => ({ status: ADDED, transaction_data: { ...one } })),
    );
    expect(ignoredFields).toEqual([]);
    const stored = await account.transactions();
    expect(
      stored.map(({ details, reason, transaction_id, transaction_date, type, amount }) => ({
        ...details,
        ...(reason !== null && { reason }),
        transaction_id,
        transaction_date,
        type,
        amount,
      })),
    ).toEqual(EXAMPLE.transactions.map((one) => expect.objectContaining(one) as unknown));
    expect(await account.balances()).toEqual(['-4.18']);
    expect(
      await account.sql(
        `SELECT supply_point_identifier AS point, start_date::text AS first, end_date::text AS last
         FROM charged_period WHERE account_id = $1`,
      ),
    ).toEqual(Array(2).fill({ point: '1000000000110', first: '2024-06-01', last: '2024-06-10' }));
    expect(await account.notes()).toEqual([]);
  });

  it('stores amounts exactly, and returns them with two decimals (contract, "Transaction")', async () => {
    const account = await imported();
    const amounts = [0.1, 0.2, 1.005e3, 9999999999.99, '0.07', 7];
    const { results } = await account.add(amounts.map((amount, i) => payment(`X-${i}`, amount)));
    const withDecimals = ['0.10', '0.20', '1005.00', '9999999999.99', '0.07', '7.00'];
    expect(results.map(({ transaction_data }) => transaction_data)).toMatchObject(
      withDecimals.map((amount) => ({ amount })),
    );
    expect((await account.transactions()).map(({ amount }) => amount)).toEqual(withDecimals);
    expect(await account.balances()).toEqual(['10000001012.36']);
  });

  it('skips and reports transactions that the account has, including imported ones', async () => {
    const account = await imported({
      last_statement_closing_date: '2024-05-31',
      last_statement_balance: '0.00',
      current_statement_transactions: [payment('P-OLD', '1.00')],
      transfer_balance: '1.00',
    });
    await account.add([payment('P-1')]);
    const { results } = await account.add([payment('P-OLD'), payment('P-1', 10), payment('P-2', 2.5)]);
    expect(results).toEqual([
      {
        status: EXISTS,
        differences: ['amount'],
        transaction_data: { ...payment('P-OLD', '1.00'), status: 'TRANSACTION_IMPORT_SUCCESS' },
      },
      {
        status: EXISTS,
        transaction_data: { ...payment('P-1', '10.00'), status: 'TRANSACTION_IMPORT_SUCCESS' },
      },
      { status: ADDED, transaction_data: payment('P-2', '2.50') },
    ]);
    expect(await account.balances()).toEqual(['13.50']);
  });

  it('accepts a request without transactions', async () => {
    const account = await imported();
    expect((await account.add([])).results).toEqual([]);
  });

  describe('a transaction outside the open statement period', () => {
    const outside = [
      payment('EARLY', 1, '2024-02-29'),
      payment('INSIDE', 2, '2024-06-30'),
      payment('LATE', 4, '2024-07-01'),
    ];

    it('is moved to the nearer end with its original date and an explanation, and one note is pinned', async () => {
      const account = await imported();
      const { results } = await account.add(outside);
      expect(results.map(({ status }) => status)).toEqual([ADDED, ADDED, ADDED]);
      // The answer contains the transaction as submitted.
      expect(results[0]!.transaction_data).toEqual({ ...outside[0], amount: '1.00' });
      expect(await account.transactions()).toMatchObject([
        {
          transaction_date: '2024-06-01',
          original_date: '2024-02-29',
          adjustment: expect.stringContaining('2024-02-29') as unknown,
        },
        { transaction_date: '2024-06-30', original_date: null, adjustment: null },
        {
          transaction_date: '2024-06-30',
          original_date: '2024-07-01',
          adjustment: expect.stringContaining('2024-07-01') as unknown,
        },
      ]);
      const notes = await account.notes();
      expect(notes).toEqual([
        {
          is_pinned: true,
          body: expect.stringMatching(
            /EARLY: dated 2024-02-29, moved to 2024-06-01\nLATE: dated 2024-07-01/,
          ) as unknown,
        },
      ]);
      // A repeated request skips the transactions, so it moves none and pins no note.
      expect((await account.add(outside)).results.map(({ status }) => status)).toEqual(Array(3).fill(EXISTS));
      expect(await account.notes()).toEqual(notes);
    });

    it('fails the whole request if it must not be moved; the answer contains the first such transaction', async () => {
      const account = await imported();
      const sent = [outside[1]!, outside[2]!, outside[0]!];
      await expect(account.add(sent, { forceAddToCurrentStatement: false })).rejects.toMatchObject({
        code: 'transaction_outside_open_statement_period',
        members: {
          status: 'TRANSACTION_IMPORT_ERROR',
          error_detail: expect.stringContaining('2024-06-01 to 2024-06-30') as unknown,
          transaction_data: { ...outside[2], amount: '4.00' },
        },
      });
      expect(await account.transactions()).toEqual([]);
      expect(await account.balances()).toEqual(['0.00']);
      expect(await account.notes()).toEqual([]);
    });

    it('does not fail the request if it was added before', async () => {
      const account = await imported();
      await account.add(outside);
      const again = await account.add([...outside, payment('NEW')], { forceAddToCurrentStatement: false });
      expect(again.results.map(({ status }) => status)).toEqual([EXISTS, EXISTS, EXISTS, ADDED]);
    });
  });

  describe('an invalid request', () => {
    it('adds nothing, and the answer contains the first invalid transaction', async () => {
      const account = await imported();
      const bad = { ...payment('BAD', 3), type: 'GIFT' };
      await expect(account.send([payment('GOOD'), bad])).rejects.toMatchObject({
        code: 'validation_error',
        members: {
          errors: [{ attr: 'transactions.1.type' }],
          status: 'TRANSACTION_IMPORT_ERROR',
          error_detail: expect.stringContaining('transactions.1.type') as unknown,
          transaction_data: { ...bad, amount: '3.00' },
        },
      });
      expect(await account.pending()).toEqual([]);
      expect(await account.transactions()).toEqual([]);
    });

    it('has an amount with more than two decimals, which is never rounded', async () => {
      const account = await imported();
      await expect(account.send([payment('FINE', 0.125)])).rejects.toMatchObject({
        members: { errors: [{ attr: 'transactions.0.amount' }], transaction_data: payment('FINE', 0.125) },
      });
    });

    it('has the same id twice', async () => {
      const account = await imported();
      await expect(account.send([payment('TWICE'), payment('TWICE', 5)])).rejects.toMatchObject({
        members: {
          errors: [{ code: 'duplicate_transaction_ids' }],
          transaction_data: payment('TWICE', '5.00'),
        },
      });
    });

    it('a request whose transactions are no objects gets an ordinary validation error', async () => {
      const account = await imported();
      for (const transactions of [7, [7], null])
        await expect(account.send([], { more: { transactions } })).rejects.toMatchObject({
          code: 'validation_error',
        });
    });

    it('is not made by undocumented fields, which are named and echoed', async () => {
      const account = await imported();
      const { results, ignoredFields } = await account.add([{ ...payment('MORE'), colour: 'blue' }]);
      expect(ignoredFields).toEqual(['transactions.0.colour']);
      expect(results[0]!.transaction_data).toMatchObject({ colour: 'blue' });
    });
  });

  describe('a dry run', () => {
    it('answers like the real request, and stores nothing', async () => {
      const account = await imported();
      await account.add([payment('P-1', 1)]);
      const request = [
        payment('P-1', 1),
        payment('P-2', 2, '2024-01-01'),
        supplyCharge('S-1', 'DRY', '2024-06-01', '2024-06-10'),
      ];
      const ofDryRun = await account.add(request, { more: { dry_run: true } });
      expect(await account.transactions()).toHaveLength(1);
      expect(await account.balances()).toEqual(['1.00']);
      expect(await account.notes()).toEqual([]);
      expect(await account.sql('SELECT 1 FROM charged_period WHERE account_id = $1')).toEqual([]);
      expect((await account.add(request)).results).toEqual(ofDryRun.results);
      expect(await account.transactions()).toHaveLength(3);
    });

    it('is refused like the real request', async () => {
      const account = await imported();
      await expect(
        account.add([payment('P-1', 1, '2024-01-01')], {
          forceAddToCurrentStatement: false,
          more: { dry_run: true },
        }),
      ).rejects.toMatchObject({ code: 'transaction_outside_open_statement_period' });
    });
  });

  describe('a supply charge', () => {
    it('is refused for days that were charged before, on any account of the organisation', async () => {
      const [account, other] = [await imported(), await imported()];
      await account.add([supplyCharge('S-1', 'POINT-1', '2024-06-01', '2024-06-10')]);
      const clashing = supplyCharge('S-2', 'POINT-1', '2024-06-10', '2024-06-20');
      for (const one of [account, other])
        await expect(one.add([payment('P-1'), clashing])).rejects.toMatchObject({
          code: 'line_items_overlap_already_charged_period',
          detail: '"POINT-1" has been charged from 2024-06-10 to 2024-06-10 already.',
          members: { status: 'TRANSACTION_IMPORT_ERROR', transaction_data: clashing },
        });
      expect(await other.transactions()).toEqual([]);
      const following = supplyCharge('S-2', 'POINT-1', '2024-06-11', '2024-06-20');
      expect((await other.add([following])).results).toMatchObject([{ status: ADDED }]);
    });

    it('charges the days for its own organisation alone', async () => {
      await test.app.get(Organisations).create('Other Ltd');
      await test.app.get(ImportSuppliers).create('OTHER', 'Other Ltd', {});
      const account = await imported();
      await account.add([supplyCharge('S-1', 'POINT-4', '2024-06-01', '2024-06-10')]);
      expect(
        await account.sql('SELECT organisation_id AS id FROM charged_period WHERE account_id = $1'),
      ).toEqual([{ id: test.organisationId }]);
    });

    it('does not conflict with itself when it is sent again, whether skipped or added again', async () => {
      const account = await imported();
      const charge = supplyCharge('S-1', 'POINT-2', '2024-06-01', '2024-06-10');
      await account.add([charge]);
      expect((await account.add([charge])).results).toMatchObject([{ status: EXISTS }]);
      const again = await account.add([charge], { checkPreviouslyAdded: false });
      expect(again.results).toMatchObject([{ status: ADDED }]);
      expect(await account.balances()).toEqual(['-10.00']);
    });

    it('is refused for days that another account was charged for, also if it is added again', async () => {
      const [account, other] = [await imported(), await imported()];
      await account.add([supplyCharge('S-1', 'POINT-5', '2024-06-01', '2024-06-10')]);
      await other.add([supplyCharge('S-2', 'POINT-5', '2024-06-11', '2024-06-20')]);
      const clashing = supplyCharge('S-1', 'POINT-5', '2024-06-11', '2024-06-20');
      await expect(account.add([clashing], { checkPreviouslyAdded: false })).rejects.toMatchObject({
        code: 'line_items_overlap_already_charged_period',
      });
    });

    it('goes to the ledger of its supply point; other transactions go to the first', async () => {
      const account = await imported({ ledgers: [{ ledger_code: 'MAIN' }, { ledger_code: 'SERVICES' }] });
      await account.sql(
        `UPDATE ledger SET details = json_build_object('identifiers', ARRAY[$2]) WHERE account_id = $1 AND position = 1`,
        ['POINT-3'],
      );
      await account.add([
        supplyCharge('S-1', 'POINT-3', '2024-06-01', '2024-06-10'),
        payment('P-1', 3),
        supplyCharge('S-2', 'NOT-LISTED', '2024-06-01', '2024-06-10'),
      ]);
      expect(await account.transactions()).toMatchObject([
        { transaction_id: 'S-1', ledger_position: 1 },
        { transaction_id: 'P-1', ledger_position: 0 },
        { transaction_id: 'S-2', ledger_position: 0 },
      ]);
      expect(await account.balances()).toEqual(['-2.00', '-5.00']);
    });
  });

  it('finds and changes the ledgers and transactions of its own account alone, in their order', async () => {
    const ledgers = [{ ledger_code: 'MAIN' }, { ledger_code: 'SERVICES' }];
    const accounts = [await imported({ ledgers }), await imported({ ledgers })];
    for (const [index, account] of accounts.entries())
      await account.add([payment('SAME', index + 1), payment('LATER', 5), payment('THIRD', 1)]);
    expect(await Promise.all(accounts.map(async (account) => account.balances()))).toEqual([
      ['7.00', '0.00'],
      ['8.00', '0.00'],
    ]);
    const repository = test.app.get(TransactionRepository);
    await test.app.get(Database).transaction(async (executor) => {
      const requested = accounts.map(({ id }) => ({ accountId: id, transactionIds: ['SAME', 'OTHER'] }));
      const snapshots = await repository.ledgerSnapshots(executor, requested);
      for (const [index, { id }] of accounts.entries()) {
        const { ledgers: found, existing } = snapshots.get(id)!;
        expect(found.map(({ position, periodPosition }) => [position, periodPosition])).toEqual([
          [0, 1],
          [1, 1],
        ]);
        const own = { transactionId: 'SAME', amount: `${index + 1}.00` };
        expect(existing).toMatchObject([own]);
        const stored = await repository.find(executor, id, ['LATER', 'SAME']);
        expect(stored).toMatchObject([own, { transactionId: 'LATER' }]);
      }
    });
  });

  it('refuses transactions that would make a balance too large to store', async () => {
    const account = await imported();
    await account.sql(`UPDATE ledger SET balance = '999999999999.98' WHERE account_id = $1`);
    await expect(account.add([payment('P-1', 0.01), payment('P-2', 0.01)])).rejects.toMatchObject({
      code: 'ledger_balance_out_of_range',
      members: { transaction_data: { transaction_id: 'P-2' } },
    });
    expect((await account.add([payment('P-1', 0.01)])).results).toMatchObject([{ status: ADDED }]);
    expect(await account.balances()).toEqual(['999999999999.99']);
  });
});

import type { Transaction } from '@portage/account-schema';
import type { OpenLedger } from './transaction.repository';
import { type IndexedTransaction, planLedgerChange } from './ledger-change';

const ledger = (position: number, more: Partial<OpenLedger> = {}): OpenLedger => ({
  position,
  periodPosition: 1,
  start: '2024-06-01',
  end: '2024-06-30',
  balance: '0.00',
  identifiers: [],
  ...more,
});

const payment = (date: string, amount = '1.00') =>
  ({ transaction_id: date, transaction_date: date, type: 'PAYMENT', amount }) as Transaction;

const charge = (point: string | undefined, date: string) =>
  ({
    transaction_id: `${point}-${date}`,
    transaction_date: date,
    type: 'SUPPLY_CHARGE',
    amount: '2.00',
    supply_point_identifier: point,
    line_items: [{ start_date: '2024-06-01', end_date: '2024-06-02' }],
  }) as Transaction;

const numbered = (...transactions: Transaction[]): IndexedTransaction[] =>
  transactions.map((transaction, index) => ({ index: index + 10, transaction }));

const TWO = [
  ledger(0, { identifiers: ['A'] }),
  ledger(1, { identifiers: ['A', 'B'], periodPosition: 4, start: '2024-06-15' }),
];

describe('a ledger change', () => {
  it('puts each transaction into the open period of its ledger, in the order of the request', () => {
    const placed = planLedgerChange(
      numbered(
        charge('B', '2024-06-10'),
        payment('2024-06-10'),
        charge('A', '2024-06-11'),
        charge(undefined, '2024-06-12'),
        charge('B', '2024-06-13'),
        // A payment for a supply point of the second ledger.
        Object.assign(payment('2024-06-14'), { supply_point_identifier: 'B' }),
      ),
      TWO,
      true,
    );
    expect(placed).toMatchObject({
      ok: true,
      change: {
        transactions: [
          {
            ledgerPosition: 1,
            periodPosition: 4,
            transactionDate: '2024-06-15',
            originalDate: '2024-06-10',
          },
          { ledgerPosition: 0, periodPosition: 1, transactionDate: '2024-06-10', originalDate: null },
          // Two ledgers name the supply point: the first of them bills it.
          { ledgerPosition: 0, transactionDate: '2024-06-11' },
          { ledgerPosition: 0, transactionDate: '2024-06-12' },
          { ledgerPosition: 1, transactionDate: '2024-06-15' },
          { ledgerPosition: 0, transactionDate: '2024-06-14' },
        ],
        chargedPeriods: [
          { supplyPointIdentifier: 'B' },
          { supplyPointIdentifier: 'A' },
          { supplyPointIdentifier: 'B' },
        ],
        effects: [
          { position: 1, effect: '-4.00' },
          { position: 0, effect: '-2.00' },
        ],
      },
      moved: { '2024-06-15': [10, 14] },
    });
    expect(Object.keys(placed.ok ? placed.moved : {})).toHaveLength(1);
  });

  it('has one note for all moved transactions, and none if none was moved', () => {
    const moved = planLedgerChange(numbered(payment('2024-05-01'), charge('B', '2024-06-02')), TWO, true);
    expect(moved.ok && moved.change.note).toMatch(
      /2024-05-01, moved to 2024-06-01[^]*\n\n[^]*2024-06-02, moved to 2024-06-15/,
    );
    const unmoved = planLedgerChange(numbered(payment('2024-06-02')), TWO, true);
    expect(unmoved.ok && unmoved.change.note).toBeNull();
  });

  it('is refused for the first transaction in the order of the request, across ledgers', () => {
    const refused = (...transactions: Transaction[]) => {
      const placed = planLedgerChange(numbered(...transactions), TWO, false);
      return placed.ok ? undefined : placed.refused.index;
    };
    expect(refused(payment('2024-06-20'), charge('B', '2024-06-02'), payment('2024-05-01'))).toBe(11);
    expect(refused(charge('B', '2024-06-20'), payment('2024-05-01'), charge('B', '2024-06-02'))).toBe(11);
    expect(refused(payment('2024-05-01'), charge('B', '2024-06-02'))).toBe(10);
    expect(refused(payment('2024-06-20'), charge('B', '2024-06-20'))).toBeUndefined();
    expect(planLedgerChange(numbered(payment('2024-05-01')), TWO, false)).toMatchObject({
      refused: { code: 'transaction_outside_open_statement_period' },
    });
  });

  it.each([
    ['-999999999999.99', 'CHARGE', 'PAYMENT'],
    ['999999999999.99', 'PAYMENT', 'CHARGE'],
  ])('allows final balances of twelve digits, whatever the balance in between: %s', (balance, away, back) => {
    const full = [ledger(0, { balance })];
    const of = (type: string, amount: string) => Object.assign(payment('2024-06-02', amount), { type });
    const [more, less] = [of(away, '0.01'), of(back, '0.02')];
    expect(planLedgerChange(numbered(more, less), full, true)).toMatchObject({ ok: true });
    expect(planLedgerChange(numbered(less, more, more), full, true)).toMatchObject({ ok: true });
    expect(planLedgerChange(numbered(less, more, more, more), full, true)).toMatchObject({
      ok: false,
      refused: {
        index: 13,
        code: 'ledger_balance_out_of_range',
        detail: 'The balance of the ledger would have more than 12 digits before the point.',
      },
    });
  });

  it('cannot be planned without a ledger', () => {
    expect(() => planLedgerChange(numbered(payment('2024-06-02')), [], true)).toThrow('no ledger');
  });
});

import type { Transaction } from '@portage/account-schema';
import type { OpenLedger } from '@portage/database';
import { planLedgerChange, type IndexedTransaction } from './ledger-change';

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

describe('what adding transactions means for the ledgers of an account', () => {
  it('each goes into the open period of its own ledger, in the order of the request', () => {
    const placed = planLedgerChange(
      numbered(
        charge('B', '2024-06-10'),
        payment('2024-06-10'),
        charge('A', '2024-06-11'),
        charge(undefined, '2024-06-12'),
      ),
      TWO,
      true,
    );
    expect(placed).toMatchObject({
      ok: true,
      posting: {
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
        ],
        chargedPeriods: [{ supplyPointIdentifier: 'B' }, { supplyPointIdentifier: 'A' }],
        effects: expect.arrayContaining([
          { position: 1, effect: '-2.00' },
          { position: 0, effect: '-3.00' },
        ]) as unknown,
      },
    });
  });

  it('has one note, whatever ledgers the moved transactions are on, and none where nothing was moved', () => {
    const moved = planLedgerChange(numbered(payment('2024-05-01'), charge('B', '2024-06-02')), TWO, true);
    expect(moved.ok && moved.posting.note).toMatch(
      /2024-05-01, moved to 2024-06-01[^]*2024-06-02, moved to 2024-06-15/,
    );
    const unmoved = planLedgerChange(numbered(payment('2024-06-02')), TWO, true);
    expect(unmoved.ok && unmoved.posting.note).toBeNull();
  });

  it('refuses the first in the order of the request, whatever ledger it is on', () => {
    const refused = (...transactions: Transaction[]) => {
      const placed = planLedgerChange(numbered(...transactions), TWO, false);
      return placed.ok ? undefined : placed.refused.index;
    };
    expect(refused(payment('2024-06-20'), charge('B', '2024-06-02'), payment('2024-05-01'))).toBe(11);
    expect(refused(charge('B', '2024-06-20'), payment('2024-05-01'), charge('B', '2024-06-02'))).toBe(11);
    expect(refused(payment('2024-06-20'), charge('B', '2024-06-20'))).toBeUndefined();
  });

  it('holds balances of twelve digits, and looks only at what they come to', () => {
    const full = [ledger(0, { balance: '-999999999999.99' })];
    const back = payment('2024-06-02', '0.02');
    const more = Object.assign(payment('2024-06-01', '0.01'), { type: 'CHARGE' });
    expect(planLedgerChange(numbered(more, back), full, true)).toMatchObject({ ok: true });
    expect(planLedgerChange(numbered(back, more, more, more), full, true)).toMatchObject({
      ok: false,
      refused: { index: 13, code: 'ledger_balance_out_of_range' },
    });
  });

  it('is a fault where the account has no ledger', () => {
    expect(() => planLedgerChange(numbered(payment('2024-06-02')), [], true)).toThrow('no ledger');
  });
});

import { formatMoney } from '@portage/platform';
import fc from 'fast-check';
import { balanceAfter, type BalanceEntry, effectOnBalance, TRANSACTION_TYPES } from './balance';

describe('the balance of a ledger', () => {
  it.each([
    ['PAYMENT', '40.00', 4000n],
    ['CREDIT', '3.10', 310n],
    ['CREDIT', '-3.10', -310n],
    ['CHARGE', '18', -1800n],
    ['CHARGE', '-18', 1800n],
    ['REPAYMENT', '7.25', -725n],
    ['SUPPLY_CHARGE', '22.03', -2203n],
  ] as const)('is changed by a %s of %s by %d hundredths', (type, amount, effect) => {
    expect(effectOnBalance({ type, amount })).toBe(effect);
  });

  it.each([
    // The history and the two ledgers of the contract's first example, and its third.
    ['0', ['PAYMENT 130.00', 'SUPPLY_CHARGE 71.27', 'SUPPLY_CHARGE 41.34'], '17.39'],
    ['-1210.40', ['PAYMENT 900.00', 'CHARGE 35.00'], '-345.40'],
  ])('a balance of %s is with %j afterwards %s', (before, transactions, after) => {
    const entries = transactions.map((text) => {
      const [type, amount] = text.split(' ') as [BalanceEntry['type'], string];
      return { type, amount };
    });
    const start = effectOnBalance({ type: 'CREDIT', amount: before });
    expect(formatMoney(balanceAfter(start, entries))).toBe(after);
  });

  it('is not changed by a payment to a prepayment meter', () => {
    const entry = { type: 'PAYMENT', amount: '10', to_prepay_meter_serial_number: 'E12' } as const;
    expect(effectOnBalance(entry)).toBe(0n);
    expect(effectOnBalance({ ...entry, to_prepay_meter_serial_number: null })).toBe(1000n);
  });

  it('is exact beyond the range of a number', () => {
    const largest = Array.from(
      { length: 10_000 },
      () => ({ type: 'CREDIT', amount: '9999999999.99' }) as const,
    );
    expect(formatMoney(balanceAfter(1n, largest))).toBe('99999999999900.01');
  });

  it('does not depend on the order or grouping of transactions', () => {
    const anyEntry = fc.record({
      type: fc.constantFrom(...TRANSACTION_TYPES),
      amount: fc.bigInt({ min: -(10n ** 12n - 1n), max: 10n ** 12n - 1n }).map(formatMoney),
    });
    fc.assert(
      fc.property(fc.array(anyEntry), fc.nat(), (entries, cut) => {
        const [some, others] = [entries.slice(0, cut % 7), entries.slice(cut % 7)];
        expect(balanceAfter(balanceAfter(5n, others), some)).toBe(balanceAfter(5n, entries));
      }),
    );
  });

  it('throws on an invalid amount', () => {
    expect(() => effectOnBalance({ type: 'PAYMENT', amount: '1.005' })).toThrow(RangeError);
  });
});

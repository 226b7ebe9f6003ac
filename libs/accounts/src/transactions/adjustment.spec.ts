import { addDays } from '@portage/platform';
import fc from 'fast-check';
import { adjust, type DatedTransaction } from './adjustment';
import { anyDayOf } from '../../../platform/test/days';

const OPEN = { start: '2026-11-01', end: '2026-11-30' };
const on = (transaction_date: string, transaction_id = 'T-1') => ({ transaction_id, transaction_date });

/** Adjusts with `force`. */
function moved<T extends DatedTransaction>(transactions: readonly T[], open = OPEN) {
  const adjusted = adjust(transactions, open, true);
  if (!adjusted.ok) throw new Error('A forced adjustment must not fail.');
  return adjusted;
}

describe('adjusting transactions to the open statement period (contract, "Add transactions")', () => {
  it.each([
    ['2026-11-01', '2026-11-01', null],
    ['2026-11-15', '2026-11-15', null],
    ['2026-11-30', '2026-11-30', null],
    ['2026-10-31', '2026-11-01', '2026-10-31'],
    ['1999-12-31', '2026-11-01', '1999-12-31'],
    ['2026-12-01', '2026-11-30', '2026-12-01'],
  ])('%s is added to the ledger on %s', (given, date, originalDate) => {
    const { transactions } = moved([on(given)]);
    expect(transactions).toMatchObject([{ transaction: on(given), date, originalDate }]);
  });

  it('explains a changed date in the description', () => {
    const { transactions } = moved([on('2026-10-02'), on('2026-11-02'), on('2026-12-02')]);
    expect(transactions.map(({ explanation }) => explanation)).toEqual([
      'Dated 2026-10-02 by the supplier; moved to 2026-11-01, the first day of the open statement period.',
      null,
      'Dated 2026-12-02 by the supplier; moved to 2026-11-30, the last day of the open statement period.',
    ]);
  });

  it('has one note about all moved transactions', () => {
    const { note } = moved([on('2026-10-02', 'A-1'), on('2026-11-02', 'A-2'), on('2026-12-02', 'A-3')]);
    expect(note).toBe(
      [
        '2 imported transactions were dated outside the open statement period from 2026-11-01 to 2026-11-30, and were moved into it:',
        'A-1: dated 2026-10-02, moved to 2026-11-01',
        'A-3: dated 2026-12-02, moved to 2026-11-30',
      ].join('\n'),
    );
    expect(moved([on('2026-10-02')]).note).toMatch(
      /^1 imported transaction was dated .* and was moved into it:\n/,
    );
  });

  it('has no note if no transaction was moved', () => {
    expect(moved([on('2026-11-02')]).note).toBeNull();
    expect(moved([])).toEqual({ ok: true, transactions: [], note: null });
  });

  it('limits the note for many transactions and long ids', () => {
    const id = `${'x'.repeat(62)}${'😀'.repeat(10_000)}`;
    const { note } = moved(Array.from({ length: 10_000 }, () => on('2026-10-02', id)));
    expect(note?.split('\n')).toHaveLength(102);
    expect(note).toMatch(/\nand 9900 more$/);
    expect(note?.length).toBeLessThan(12_000);
    expect(note?.isWellFormed()).toBe(true);
    expect(note).toContain(`\n${'x'.repeat(62)}…: dated`);
    for (const whole of ['x'.repeat(64), `😀${'x'.repeat(62)}`])
      expect(moved([on('2026-10-02', whole)]).note).toContain(`\n${whole}: dated`);
    expect(moved([on('2026-10-02', `😀${'x'.repeat(63)}`)]).note).toContain(`\n😀${'x'.repeat(61)}…: dated`);
  });

  it('fails without force at the first transaction outside the period', () => {
    const transactions = [on('2026-11-30'), on('2026-10-31'), on('2026-12-01')];
    expect(adjust(transactions, OPEN, false)).toEqual({
      ok: false,
      index: 1,
      detail:
        'The transaction is dated 2026-10-31, outside the open statement period from 2026-11-01 to 2026-11-30. ' +
        'Date it within the period, or set force_add_to_current_statement to true to have it moved.',
    });
  });

  it('needs no force for transactions inside the period', () => {
    const inside = [on('2026-11-01'), on('2026-11-30')];
    expect(adjust(inside, OPEN, false)).toEqual(adjust(inside, OPEN, true));
  });

  const anyOpen = fc
    .tuple(anyDayOf(2000, 2030), fc.nat(400))
    .map(([start, days]) => ({ start, end: addDays(start, days) }));

  it('moves each transaction to the nearest day of the period and stores its original date', () => {
    fc.assert(
      fc.property(anyOpen, fc.array(anyDayOf(1998, 2033)), (open, dates) => {
        const { transactions } = moved(
          dates.map((date) => on(date)),
          open,
        );
        const distance = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b));
        for (const [place, { date, originalDate, explanation }] of transactions.entries()) {
          const given = dates[place] as string;
          expect(date >= open.start && date <= open.end).toBe(true);
          expect(originalDate ?? date).toBe(given);
          expect(originalDate === null).toBe(date === given);
          expect(explanation === null).toBe(originalDate === null);
          for (const other of [open.start, addDays(open.start, 1), addDays(open.end, -1), open.end])
            if (other >= open.start && other <= open.end)
              expect(distance(date, given)).toBeLessThanOrEqual(distance(other, given));
        }
        expect(transactions).toHaveLength(dates.length);
      }),
    );
  });

  it('fails without force exactly if it moves a transaction with force', () => {
    fc.assert(
      fc.property(anyOpen, fc.array(anyDayOf(1998, 2033)), (open, dates) => {
        const transactions = dates.map((date) => on(date));
        expect(adjust(transactions, open, false).ok).toBe(moved(transactions, open).note === null);
      }),
    );
  });
});

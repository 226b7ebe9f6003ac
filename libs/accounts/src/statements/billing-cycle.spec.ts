import { addDays, FIRST_DAY, LAST_DAY, monthOf } from '@portage/platform';
import fc from 'fast-check';
import { type BillingCycle, billingCycleOf, type BillingOptions, periodContaining } from './billing-cycle';
import { anyCycle } from '../../test/calendar';
import { anyDay } from '../../../platform/test/days';

/** The starts of consecutive periods, beginning with the period that contains a day. */
function startsFrom(date: string, cycle: BillingCycle, count: number): string[] {
  const starts: string[] = [];
  for (let day = date; starts.length < count;) {
    const { start, end } = periodContaining(day, cycle);
    starts.push(start);
    day = addDays(end, 1);
  }
  return starts;
}

const MONTHLY = billingCycleOf();
const monthlyFrom = (startDay: number): BillingCycle => ({ months: 1, startDay, phase: 0 });

describe('a billing cycle', () => {
  it.each([
    ['2026-11-01', MONTHLY, '2026-11-01', '2026-11-30'],
    ['2026-11-30', MONTHLY, '2026-11-01', '2026-11-30'],
    ['2024-02-29', MONTHLY, '2024-02-01', '2024-02-29'],
    ['2026-11-14', monthlyFrom(15), '2026-10-15', '2026-11-14'],
    ['2026-11-15', monthlyFrom(15), '2026-11-15', '2026-12-14'],
    ['2027-01-14', monthlyFrom(15), '2026-12-15', '2027-01-14'],
    ['2026-02-27', monthlyFrom(31), '2026-01-31', '2026-02-27'],
    ['2026-02-28', monthlyFrom(31), '2026-02-28', '2026-03-30'],
    ['2024-02-28', monthlyFrom(31), '2024-01-31', '2024-02-28'],
    ['2024-02-29', monthlyFrom(29), '2024-02-29', '2024-03-28'],
    ['2026-03-29', monthlyFrom(29), '2026-03-29', '2026-04-28'],
    [FIRST_DAY, monthlyFrom(15), FIRST_DAY, '0001-01-14'],
    [LAST_DAY, monthlyFrom(15), '9999-12-15', LAST_DAY],
  ])('has for %s in the cycle %j the period from %s to %s', (date, cycle, start, end) => {
    expect(periodContaining(date, cycle)).toEqual({ start, end });
  });

  it('partitions the calendar into consecutive periods', () => {
    fc.assert(
      fc.property(anyCycle, anyDay, (cycle, date) => {
        const period = periodContaining(date, cycle);
        expect(period.start <= date && date <= period.end).toBe(true);
        expect(periodContaining(period.start, cycle)).toEqual(period);
        expect(periodContaining(period.end, cycle)).toEqual(period);
        if (period.end !== LAST_DAY)
          expect(periodContaining(addDays(period.end, 1), cycle).start).toBe(addDays(period.end, 1));
        if (period.start !== FIRST_DAY)
          expect(periodContaining(addDays(period.start, -1), cycle).end).toBe(addDays(period.start, -1));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has periods of its length that start on its day or on the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyCycle, anyDay, (cycle, date) => {
        const { start, end } = periodContaining(date, cycle);
        fc.pre(start !== FIRST_DAY && end !== LAST_DAY);
        const next = addDays(end, 1);
        expect(monthOf(next) - monthOf(start)).toBe(cycle.months);
        for (const first of [start, next]) {
          const day = Number(first.slice(8));
          const endsMonth = addDays(first, 1).endsWith('-01');
          expect(day === cycle.startDay || (day < cycle.startDay && endsMonth)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the billing cycle of an account with', () => {
  const quarterly = { period_length: 'QUARTERLY', period_start_day: 1 };

  it.each<[string, BillingOptions | null | undefined, string | null, string[]]>([
    ['no options is monthly from the first day', undefined, null, ['2026-11-01', '2026-12-01', '2027-01-01']],
    ['empty options', {}, null, ['2026-11-01', '2026-12-01', '2027-01-01']],
    [
      'nulls',
      { period_length: null, period_start_day: null, period_start_month: null },
      null,
      ['2026-11-01', '2026-12-01'],
    ],
    [
      'a month and a day',
      { period_length: 'MONTHLY', period_start_day: 28 },
      null,
      ['2026-10-28', '2026-11-28'],
    ],
    [
      'quarters from January',
      { ...quarterly, period_start_month: 1 },
      '2024-10-10',
      ['2026-10-01', '2027-01-01', '2027-04-01'],
    ],
    ['quarters from May', { ...quarterly, period_start_month: 5 }, null, ['2026-11-01', '2027-02-01']],
    [
      'quarters from November, so from February',
      { ...quarterly, period_start_month: 11 },
      null,
      ['2026-11-01'],
    ],
    ['quarters and no month', quarterly, null, ['2026-10-01', '2027-01-01']],
    ['quarters and a bill after one', quarterly, '2024-10-10', ['2026-10-01', '2027-01-01']],
    ['quarters and a bill on the last day of one', quarterly, '2024-10-31', ['2026-11-01', '2027-02-01']],
    [
      'quarters from the 15th and a bill the day before',
      { ...quarterly, period_start_day: 15 },
      '2026-12-14',
      ['2026-09-15', '2026-12-15'],
    ],
    [
      'a start month against the bill: the month is what starts a period',
      { ...quarterly, period_start_month: 1 },
      '2024-11-10',
      ['2026-10-01', '2027-01-01'],
    ],
    [
      'half years',
      { ...quarterly, period_length_multiplier: 2, period_start_month: 4 },
      null,
      ['2026-10-01'],
    ],
    [
      'every second month',
      { period_length: 'MONTHLY', period_length_multiplier: 2, period_start_month: 2 },
      null,
      ['2026-10-01', '2026-12-01'],
    ],
    [
      'two years from April and the year of the bill',
      { ...quarterly, period_length_multiplier: 8, period_start_month: 4 },
      '2025-06-01',
      ['2025-04-01', '2027-04-01'],
    ],
    ['a multiplier of zero: one', { period_length_multiplier: 0 }, null, ['2026-11-01', '2026-12-01']],
  ])('%s', (_case, options, nextBillDueDate, starts) => {
    const cycle = billingCycleOf(options, nextBillDueDate);
    expect(startsFrom('2026-11-21', cycle, starts.length)).toEqual(starts);
  });

  it('a period longer than the calendar is limited to small whole numbers', () => {
    const cycle = billingCycleOf({ period_length_multiplier: Number.MAX_SAFE_INTEGER });
    expect(cycle.months).toBeLessThan(2 ** 31);
    const { start, end } = periodContaining('2026-11-21', cycle);
    expect(start <= '2026-11-21' && end >= '2026-11-21').toBe(true);
  });

  it('a start month starts a period in this month for any next bill date', () => {
    const anyOptions = fc.record({
      period_length: fc.constantFrom('MONTHLY', 'QUARTERLY'),
      period_length_multiplier: fc.integer({ min: 1, max: 4 }),
      period_start_day: fc.integer({ min: 1, max: 28 }),
      period_start_month: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(
        anyOptions,
        fc.option(anyDay),
        fc.integer({ min: 1990, max: 2100 }),
        (options, due, year) => {
          const cycle = billingCycleOf(options, due);
          fc.pre(12 % cycle.months === 0);
          const two = (value: number) => String(value).padStart(2, '0');
          const start = `${year}-${two(options.period_start_month)}-${two(options.period_start_day)}`;
          expect(periodContaining(start, cycle).start).toBe(start);
        },
      ),
    );
  });
});

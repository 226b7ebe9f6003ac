import fc from 'fast-check';
import { type LocalDate } from '../src/calendar/local-date';
import { type BillingCycle } from '../src/ledger/billing-cycle';

/** Any day in the years from `first` to `last`. */
export function anyDayOf(first: number, last: number): fc.Arbitrary<LocalDate> {
  const year = (value: number) => String(value).padStart(4, '0');
  return fc
    .date({
      min: new Date(`${year(first)}-01-01`),
      max: new Date(`${year(last)}-12-31`),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 10));
}

/** Any calendar day, more often one from 1999 to 2101. */
export const anyDay = fc.oneof(
  { weight: 3, arbitrary: anyDayOf(1999, 2101) },
  { weight: 1, arbitrary: anyDayOf(1, 9999) },
);

/** Any cycle of one month to four years, often starting on a day that short months do not have. */
export const anyCycle: fc.Arbitrary<BillingCycle> = fc
  .record({
    months: fc.constantFrom(1, 1, 2, 3, 3, 4, 5, 6, 7, 12, 24, 48),
    startDay: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(1, 28, 29, 30, 31)),
    phase: fc.nat(47),
  })
  .map((cycle) => ({ ...cycle, phase: cycle.phase % cycle.months }));

import fc from 'fast-check';
import type { LocalDate } from '../src/values/local-date';

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

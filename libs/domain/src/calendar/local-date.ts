/** A day of the calendar, `YYYY-MM-DD` (contract 2.1): comparing the texts compares the days. */
export type LocalDate = string;

/** The first and the last day that can be written. Arithmetic stops there. */
export const FIRST_DAY: LocalDate = '0001-01-01';
export const LAST_DAY: LocalDate = '9999-12-31';

const DAY_MS = 86_400_000;
const [FIRST_MS, LAST_MS] = [Date.parse(FIRST_DAY), Date.parse(LAST_DAY)];

/** The day so many days later, or earlier where `days` is below zero. Counted in UTC, where each day has 24 hours. */
export function addDays(date: LocalDate, days: number): LocalDate {
  const moved = Date.parse(date) + days * DAY_MS;
  return new Date(Math.min(Math.max(moved, FIRST_MS), LAST_MS)).toISOString().slice(0, 10);
}

/** Months since year 0, so that months are added like numbers: December 2026 is 2026 * 12 + 11. */
export function monthOf(date: LocalDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** That day of a month as `monthOf` counts them, or the month's last day where it has no such day. */
export function dayOfMonth(month: number, day: number): LocalDate {
  const year = Math.floor(month / 12);
  if (year < 1) return FIRST_DAY;
  if (year > 9999) return LAST_DAY;
  const monthOfYear = month - year * 12;
  const kept = Math.min(day, daysIn(year, monthOfYear));
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(monthOfYear + 1, 2)}-${pad(kept, 2)}`;
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century, whose leap years are the same. */
function daysIn(year: number, monthOfYear: number): number {
  return new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate();
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The day that an instant falls on in a time zone.
 *
 * @throws RangeError where there is no such time zone
 */
export function dayIn(timeZone: string, instant: Date): LocalDate {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  // By parts, because the order that a locale writes them in has changed between versions of ICU.
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** A calendar day, `YYYY-MM-DD` (contract, "Values"). The order of the texts is the order of the days. */
export type LocalDate = string;

/** The first and the last representable day. Arithmetic is limited to this range. */
export const FIRST_DAY: LocalDate = '0001-01-01';
export const LAST_DAY: LocalDate = '9999-12-31';

const DAY_MS = 86_400_000;
const [FIRST_MS, LAST_MS] = [Date.parse(FIRST_DAY), Date.parse(LAST_DAY)];

/** Adds a number of days, which may be negative. Calculates in UTC, where each day has 24 hours. */
export function addDays(date: LocalDate, days: number): LocalDate {
  const shiftedMs = Date.parse(date) + days * DAY_MS;
  return new Date(Math.min(Math.max(shiftedMs, FIRST_MS), LAST_MS)).toISOString().slice(0, 10);
}

/** The number of months since year 0, for arithmetic with months: December 2026 is 2026 * 12 + 11. */
export function monthOf(date: LocalDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** A day of a month in the numbering of `monthOf`, or the last day of a shorter month. */
export function dayOfMonth(month: number, day: number): LocalDate {
  const year = Math.floor(month / 12);
  if (year < 1) return FIRST_DAY;
  if (year > 9999) return LAST_DAY;
  const monthOfYear = month - year * 12;
  const dayInMonth = Math.min(day, daysInMonth(year, monthOfYear));
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(monthOfYear + 1, 2)}-${pad(dayInMonth, 2)}`;
}

/** `Date.UTC` maps the years 0 to 99 to 1900 to 1999, which have the same leap years. */
function daysInMonth(year: number, monthOfYear: number): number {
  return new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate();
}

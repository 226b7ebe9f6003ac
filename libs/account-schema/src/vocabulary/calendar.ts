const DATE = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

/** Number of days in a month of the Gregorian calendar; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** YYYY-MM-DD, an existing calendar day from year 1. */
export function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const day = value.slice(8);
  return day <= '28' || Number(day) <= daysInMonth(Number(value.slice(0, 4)), Number(value.slice(5, 7)));
}

/** HH:MM or HH:MM:SS. */
export function isTime(value: unknown): boolean {
  return typeof value === 'string' && TIME.test(value);
}

/** A date followed by a time in any format, as senders use it in place of a plain date. */
export function isDateFollowedByTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 40 &&
    /^[T ]\d{2}:\d{2}/.test(value.slice(10)) &&
    isDate(value.slice(0, 10))
  );
}

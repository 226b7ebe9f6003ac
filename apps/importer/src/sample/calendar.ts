/** A day in the contract's format `YYYY-MM-DD`, in which days compare as texts. */
export type Day = string;

/** The day with these parts; parts out of range carry over to the next month or year. */
export function day(year: number, month: number, dayOfMonth: number): Day {
  return new Date(Date.UTC(year, month - 1, dayOfMonth)).toISOString().slice(0, 10);
}

/** The day that is `days` after `from`. */
export function addDays(from: Day, days: number): Day {
  const [year = 0, month = 0, dayOfMonth = 0] = from.split('-').map(Number);
  return day(year, month, dayOfMonth + days);
}

/** The first day of the month that is `months` after the month of `from`. */
export function firstOfMonth(from: Day, months: number): Day {
  const [year = 0, month = 0] = from.split('-').map(Number);
  return day(year, month + months, 1);
}

/** The number of days from `from` to `to`, both inclusive. */
export function daysIn(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
}

/** A moment of a day, in the contract's format. */
export function momentAt(date: Day, hour: number, minute = 0): string {
  return `${date}T${two(hour)}:${two(minute)}:00Z`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

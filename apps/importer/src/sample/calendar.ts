/** A day as the contract writes it, `YYYY-MM-DD`. Days so written compare as text. */
export type Day = string;

export function day(year: number, month: number, dayOfMonth: number): Day {
  return new Date(Date.UTC(year, month - 1, dayOfMonth)).toISOString().slice(0, 10);
}

export function addDays(from: Day, days: number): Day {
  const [year = 0, month = 0, dayOfMonth = 0] = from.split('-').map(Number);
  return day(year, month, dayOfMonth + days);
}

/** The first day of the month `months` away from the month of `from`. */
export function firstOfMonth(from: Day, months: number): Day {
  const [year = 0, month = 0] = from.split('-').map(Number);
  return day(year, month + months, 1);
}

/** Both ends count. */
export function daysIn(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
}

/** A moment of that day, in the contract's form. */
export function at(date: Day, hour: number, minute = 0): string {
  return `${date}T${two(hour)}:${two(minute)}:00Z`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

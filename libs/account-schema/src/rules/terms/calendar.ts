import { daysInMonth } from '../../vocabulary/calendar';

/*
 * Days are YYYY-MM-DD and moments YYYY-MM-DDTHH:MM:SSZ, so that comparing the texts compares the times.
 */

interface DayClock {
  readonly format: Intl.DateTimeFormat;
  minute: number;
  day: string;
}

const clocks = new Map<string, DayClock>();
const MINUTE = 60_000;

/** The day that a moment falls on in a time zone. Formatting is slow, and a day lasts whole minutes everywhere. */
export function dayIn(timeZone: string, moment: Date): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    clock = { format: new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }), minute: NaN, day: '' };
    clocks.set(timeZone, clock);
  }
  const minute = Math.floor(moment.getTime() / MINUTE);
  if (clock.minute !== minute) {
    clock.day = clock.format.format(moment);
    clock.minute = minute;
  }
  return clock.day;
}

/** A moment as the contract writes it. */
export function momentText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

const LAST_DAY = '9999-12-31';

/** The next day; the last day that can be written is its own. */
export function dayAfter(day: string): string {
  if (day === LAST_DAY) return LAST_DAY;
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  const dayOfMonth = Number(day.slice(8));
  if (dayOfMonth < daysInMonth(year, month)) return day.slice(0, 8) + digits(dayOfMonth + 1, 2);
  return month < 12 ? `${day.slice(0, 5)}${digits(month + 1, 2)}-01` : `${digits(year + 1, 4)}-01-01`;
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** The earliest of the days that are given. */
export function earliest(days: Iterable<string | null | undefined>): string | undefined {
  let least: string | undefined;
  for (const day of days) {
    if (day && (least === undefined || day < least)) least = day;
  }
  return least;
}

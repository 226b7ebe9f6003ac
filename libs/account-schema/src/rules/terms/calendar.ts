import { daysInMonth } from '../../vocabulary/calendar';

/*
 * Days are YYYY-MM-DD and moments YYYY-MM-DDTHH:MM:SSZ, so that texts compare in order of time.
 */

interface DayClock {
  readonly format: Intl.DateTimeFormat;
  minute: number;
  day: string;
}

const clocks = new Map<string, DayClock>();
const MINUTE_MS = 60_000;

/**
 * The day of a moment in a time zone. Cached for the current minute, because formatting is slow.
 *
 * @throws RangeError for an unknown time zone
 */
export function dayIn(timeZone: string, moment: Date): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    clock = { format: new Intl.DateTimeFormat('en-US', { timeZone, ...parts }), minute: NaN, day: '' };
    clocks.set(timeZone, clock);
  }
  const minute = Math.floor(moment.getTime() / MINUTE_MS);
  if (clock.minute !== minute) {
    clock.day = formatDay(clock.format, moment);
    clock.minute = minute;
  }
  return clock.day;
}

/** Uses the parts, because their order in a locale has changed between versions of ICU. */
function formatDay(format: Intl.DateTimeFormat, moment: Date): string {
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** A moment in the contract's format. */
export function formatMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

const MAX_DAY = '9999-12-31';

/** The next day. The maximum day is followed by itself. */
export function dayAfter(day: string): string {
  if (day === MAX_DAY) return MAX_DAY;
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  const dayOfMonth = Number(day.slice(8));
  if (dayOfMonth < daysInMonth(year, month)) return day.slice(0, 8) + padZeros(dayOfMonth + 1, 2);
  return month < 12 ? `${day.slice(0, 5)}${padZeros(month + 1, 2)}-01` : `${padZeros(year + 1, 4)}-01-01`;
}

function padZeros(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** The earliest of the days that are not absent, or undefined. */
export function earliest(days: Iterable<string | null | undefined>): string | undefined {
  let first: string | undefined;
  for (const day of days) {
    if (day && (first === undefined || day < first)) first = day;
  }
  return first;
}

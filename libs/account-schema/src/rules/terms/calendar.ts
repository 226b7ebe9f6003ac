/*
 * Days are YYYY-MM-DD and moments YYYY-MM-DDTHH:MM:SSZ, so that comparing the texts compares the times. Day
 * arithmetic is done in UTC, where every day has 24 hours.
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
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** The earliest of the days that are given. */
export function earliest(days: Iterable<string | null | undefined>): string | undefined {
  let least: string | undefined;
  for (const day of days) {
    if (day && (least === undefined || day < least)) least = day;
  }
  return least;
}

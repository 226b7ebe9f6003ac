/*
 * Days are YYYY-MM-DD and moments YYYY-MM-DDTHH:MM:SSZ, so that comparing the texts compares the times. Day
 * arithmetic is done in UTC, where every day has 24 hours.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day that a moment falls on in a time zone. */
export function dayIn(timeZone: string, moment: Date): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format.format(moment);
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

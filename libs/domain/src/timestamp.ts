const STORED = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00(?::?00)?)$/;

/**
 * A point in time as PostgreSQL writes it in a UTC session (`2026-11-21 08:40:00.123456+00`), taken apart without
 * losing its microseconds.
 */
function parts(stored: string): { date: string; time: string; microseconds: string } {
  const match = STORED.exec(stored);
  if (!match) throw new RangeError('A stored timestamp is expected in UTC.');
  return {
    date: match[1] as string,
    time: match[2] as string,
    microseconds: (match[3] ?? '').padEnd(6, '0'),
  };
}

/** `YYYY-MM-DDTHH:MM:SSZ`, as v1 responses carry it (contract 2.1). Fractions of a second are cut off. */
export function toUtcSeconds(stored: string): string {
  const { date, time } = parts(stored);
  return `${date}T${time}Z`;
}

/** ISO 8601 with microseconds and the zone's offset, as v2 responses carry it (contract 2.10). */
export function toOffsetMicroseconds(stored: string, timeZone: string): string {
  const { date, time, microseconds } = parts(stored);
  if (timeZone === 'UTC') return `${date}T${time}.${microseconds}+00:00`;
  const instant = new Date(`${date}T${time}Z`);
  const offset = offsetMinutes(instant, timeZone);
  const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const sign = offset < 0 ? '-' : '+';
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  return `${local}.${microseconds}${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMinutes(instant: Date, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name);
  const minutes = Number(match?.[2] ?? 0) * 60 + Number(match?.[3] ?? 0);
  return match?.[1] === '-' ? -minutes : minutes;
}

const FOUR_DIGIT_YEARS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Reads a datetime of the documented form `YYYY-MM-DDTHH:MM:SSZ` (contract 2.1), which must exist in the calendar.
 * Undefined for anything else.
 */
export function readUtcDatetime(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !FOUR_DIGIT_YEARS.test(text)) return undefined;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${text.slice(0, -1)}.000Z`
    ? date
    : undefined;
}

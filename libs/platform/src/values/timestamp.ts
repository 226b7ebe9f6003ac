const STORED_TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00(?::?00)?)$/;

/**
 * Splits a timestamp that PostgreSQL wrote in a UTC session (`2026-11-21 08:40:00.123456+00`) without losing its
 * microseconds.
 */
function splitTimestamp(stored: string): { date: string; time: string; microseconds: string } {
  const match = STORED_TIMESTAMP.exec(stored);
  if (!match) throw new RangeError('A stored timestamp must be in UTC.');
  return {
    date: match[1] as string,
    time: match[2] as string,
    microseconds: (match[3] ?? '').padEnd(6, '0'),
  };
}

/** `YYYY-MM-DDTHH:MM:SSZ`, the format of v1 responses (contract, "Values"). Fractions of a second are truncated. */
export function toUtcSeconds(stored: string): string {
  const { date, time } = splitTimestamp(stored);
  return `${date}T${time}Z`;
}

/**
 * ISO 8601 with microseconds and the offset of the time zone, the format of v2 responses (contract,
 * "Import process in v2").
 */
export function toOffsetMicroseconds(stored: string, timeZone: string): string {
  const { date, time, microseconds } = splitTimestamp(stored);
  if (timeZone === 'UTC') return `${date}T${time}.${microseconds}+00:00`;
  const instant = new Date(`${date}T${time}Z`);
  const offset = offsetMinutes(instant, timeZone);
  const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const sign = offset < 0 ? '-' : '+';
  const twoDigits = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  return `${local}.${microseconds}${sign}${twoDigits(Math.abs(offset) / 60)}:${twoDigits(Math.abs(offset) % 60)}`;
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

const UTC_DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Parses a datetime of the form `YYYY-MM-DDTHH:MM:SSZ` (contract, "Values"). Returns undefined for any other value and
 * for a date that does not exist in the calendar.
 */
export function parseUtcDatetime(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !UTC_DATETIME.test(text)) return undefined;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${text.slice(0, -1)}.000Z`
    ? date
    : undefined;
}

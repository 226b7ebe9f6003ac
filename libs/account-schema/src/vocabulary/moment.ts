import { isDate } from './calendar';

/** A longer text is not a datetime, whatever the fraction of its second. */
const MAX_LENGTH = 64;

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Reads a datetime of RFC 3339, with any offset and fraction of a second, or a date, which stands for the start of
 * that day in `timeZone`. Returns it in the contract's form, YYYY-MM-DDTHH:MM:SSZ, without the fraction; undefined if
 * it does not exist in the calendar, is a leap second, or is not in the years 1 to 9999 of UTC.
 */
export function readMoment(value: unknown, timeZone: string): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  if (isDate(value)) return inContractForm(startOfDay(value, timeZone));
  const match = RFC_3339.exec(value);
  if (!match || !isDate(match[1])) return undefined;
  const [, date, time, sign, hours, minutes] = match;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return inContractForm(Date.parse(`${date}T${time}Z`) - offset);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function inContractForm(instant: number): string | undefined {
  const text = new Date(instant).toISOString();
  return text.length === 24 && !text.startsWith('0000') ? `${text.slice(0, 19)}Z` : undefined;
}

/** The first instant of a day in a time zone, in Unix milliseconds. It is not midnight where clocks skip midnight. */
function startOfDay(date: string, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (timeZone === 'UTC') return midnight;
  const candidates = [midnight - 15 * HOUR_MS, midnight + 15 * HOUR_MS].map(
    (near) => midnight - offsetAt(near, timeZone),
  );
  const existing = candidates.filter((instant) => instant + offsetAt(instant, timeZone) === midnight);
  // Without a midnight, the offset before the change gives the moment of the change.
  // oxlint-disable-next-line portage/no-unbounded-spread -- two at most
  return existing.length > 0 ? Math.min(...existing) : (candidates[0] as number);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(instant: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const size = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + Number(seconds ?? 0) * 1_000;
  return sign === '-' ? -size : size;
}

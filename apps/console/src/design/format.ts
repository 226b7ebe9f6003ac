const LOCALE = 'en-GB';

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** The browser's time zone, which every shown time names. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const dateTime = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const timeOfDay = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

export const formatCount = (value: number): string => whole.format(value);

/** A rate: one decimal below 100, none above. Only 0 is written as such. */
export function formatRate(value: number): string {
  if (value > 0 && value < 0.1) return '< 0.1';
  return (value >= 100 ? whole : decimal).format(value);
}

export const formatShare = (value: number): string => percent.format(value);

export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));

export const formatTimeOfDay = (at: string | number): string => timeOfDay.format(new Date(at));

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration in its two largest units: `2 d 4 h`, `3 min 5 s`, `840 ms`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${formatCount(milliseconds)} ms`;
  if (milliseconds < 10_000) return `${decimal.format(milliseconds / 1_000)} s`;
  const index = UNITS.findIndex(([, size]) => milliseconds >= size);
  const parts: string[] = [];
  let rest = milliseconds;
  for (const [unit, size] of UNITS.slice(index, index + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** The side of now on which a moment is, whatever the clocks of browser and server say. */
export type Side = 'past' | 'future';

/** How far a moment is from now: `3 min ago`, `in 2 h 5 min`, `now`. */
export function formatDistance(iso: string, now: number, side?: Side): string {
  const distance = new Date(iso).getTime() - now;
  const isOnOtherSide = (side === 'past' && distance > 0) || (side === 'future' && distance < 0);
  if (isOnOtherSide || Math.abs(distance) < 1_500) return 'now';
  const text = formatDuration(Math.abs(distance) - (Math.abs(distance) % 1_000));
  return distance < 0 ? `${text} ago` : `in ${text}`;
}

/** `account_failed_validation` as `Account failed validation`. */
export function humanise(code: string): string {
  const words = code.replaceAll(/[_-]+/g, ' ').trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

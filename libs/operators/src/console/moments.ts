import { toOffsetMicroseconds } from '@portage/platform';

/** A stored time as the operator API shows it: ISO 8601 in UTC, with microseconds. */
export function toMoment(stored: string): string {
  // An infinite time is shown as the end of all times that JavaScript knows.
  if (stored === 'infinity') return '9999-12-31T23:59:59.999999Z';
  return toOffsetMicroseconds(stored, 'UTC').replace('+00:00', 'Z');
}

/** As {@link toMoment}; null stays null. */
export function toMomentOrNull(stored: string | null): string | null {
  return stored === null ? null : toMoment(stored);
}

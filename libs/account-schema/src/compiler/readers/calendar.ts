import { isDate, isDateFollowedByTime, isTime } from '../../vocabulary/calendar';
import { readMoment } from '../../vocabulary/moment';
import { Fault } from '../fault';
import type { Reader } from '../reader';

const NOT_A_DATE = new Fault('invalid', 'Enter an existing calendar day as YYYY-MM-DD.');
const HAS_TIME = new Fault('datetime', 'Enter a plain date as YYYY-MM-DD, without a time.');
const NOT_A_MOMENT = new Fault(
  'invalid',
  'Enter an existing date and time with an offset, such as 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00, or a date.',
);
const NOT_A_TIME = new Fault('invalid', 'Enter a time of day as HH:MM or HH:MM:SS.');

/** A date, YYYY-MM-DD. */
export const readDate: Reader = (value) => {
  if (isDate(value)) return undefined;
  return isDateFollowedByTime(value) ? HAS_TIME : NOT_A_DATE;
};

/** A moment of RFC 3339, or a date in the supplier's time zone; converted to YYYY-MM-DDTHH:MM:SSZ. */
export const readMomentOfPass: Reader = (value, pass) => {
  const moment = readMoment(value, pass.timeZone) ?? NOT_A_MOMENT;
  return moment === value ? undefined : moment;
};

/** A time of day, HH:MM or HH:MM:SS. */
export const readTime: Reader = (value) => (isTime(value) ? undefined : NOT_A_TIME);

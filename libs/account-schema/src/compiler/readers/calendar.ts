import { daysInMonth, isDate, isDateFollowedByTime, isTime } from '../../vocabulary/calendar';
import { readMoment } from '../../vocabulary/moment';
import { Fault } from '../fault';
import type { Reader } from '../reader';
import { NULL } from './null';

const NOT_A_DATE = new Fault('invalid', 'Enter an existing calendar day as YYYY-MM-DD.');
const HAS_TIME = new Fault('datetime', 'Enter a plain date as YYYY-MM-DD, without a time.');
const NOT_A_MOMENT = new Fault(
  'invalid',
  'Enter an existing date and time with an offset, such as 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00, or a date.',
);
const NOT_A_TIME = new Fault('invalid', 'Enter a time of day as HH:MM or HH:MM:SS.');

/** A date, YYYY-MM-DD. */
export function dateReader(nullable: boolean): Reader {
  return (value) => {
    if (typeof value === 'string' && value.length === 10 && startsWithDate(value)) return undefined;
    if (value === null) return nullable ? undefined : NULL;
    if (isDate(value)) return undefined;
    return isDateFollowedByTime(value) ? HAS_TIME : NOT_A_DATE;
  };
}

/** A moment of RFC 3339, or a date in the supplier's time zone; converted to YYYY-MM-DDTHH:MM:SSZ. */
export function momentReader(nullable: boolean): Reader {
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    const moment = readMoment(value, pass.timeZone) ?? NOT_A_MOMENT;
    return moment === value ? undefined : moment;
  };
}

/** A time of day, HH:MM or HH:MM:SS. */
export function timeReader(nullable: boolean): Reader {
  return (value) => {
    if (value === null) return nullable ? undefined : NULL;
    return isTime(value) ? undefined : NOT_A_TIME;
  };
}

const HYPHEN = 45;
const ZERO = 48;

/** Two digits as a number, or -1 if either is not a digit. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return ones >= 0 && ones <= 9 && tens >= 0 && tens <= 9 ? tens * 10 + ones : -1;
}

function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false;
  const century = pair(text, 0);
  const year = pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  if (century < 0 || year < 0 || century + year === 0 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= daysInMonth(century * 100 + year, month);
}

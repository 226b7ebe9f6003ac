import { addDays, dayOfMonth, LAST_DAY, monthOf, type LocalDate } from '../calendar/local-date';

/** A stretch of days, both ends included. */
export interface Period {
  readonly start: LocalDate;
  readonly end: LocalDate;
}

/** How an account is billed: its periods cover the calendar without gap or overlap. Three whole numbers. */
export interface BillingCycle {
  /** Months in a period. */
  readonly months: number;
  /** Day of the month on which a period starts; shorter months start it on their last day. */
  readonly startDay: number;
  /** Which months start one: those that `monthOf` counts and that leave this rest when divided by `months`. */
  readonly phase: number;
}

/** What an account's payload says of billing: its `account_billing_options`. */
export interface BillingOptions {
  readonly period_length?: string | null;
  readonly period_length_multiplier?: number | null;
  readonly period_start_day?: number | null;
  readonly period_start_month?: number | null;
}

const MONTHS_OF_THE_CALENDAR = 9999 * 12;
const JANUARY_2000 = monthOf('2000-01-01');

/**
 * The cycle that a payload asks for; by default monthly, from the first (DESIGN 4). Industry billing comes without a
 * calendar, so the default holds for it too.
 *
 * Which months start a quarter (or a longer period): `period_start_month`; without it the period that the next bill
 * covers ends on `nextBillDueDate` or last before it; without both, January starts one. Where a year is no whole
 * number of periods, the start month meant is the last one up to the next bill, or up to January 2000.
 */
export function billingCycle(
  options?: BillingOptions | null,
  nextBillDueDate?: LocalDate | null,
): BillingCycle {
  const length = options?.period_length === 'QUARTERLY' ? 3 : 1;
  const multiplier = Math.max(options?.period_length_multiplier ?? 1, 1);
  const months = Math.min(length * multiplier, MONTHS_OF_THE_CALENDAR);
  const startDay = options?.period_start_day ?? 1;
  const latest = nextBillDueDate ? startedIn(addDays(nextBillDueDate, 1), startDay) : JANUARY_2000;
  const month = options?.period_start_month;
  const anchor = month ? latest - rest(latest - (month - 1), 12) : latest;
  return { months, startDay, phase: rest(anchor, months) };
}

/** The period of a cycle that a day lies in. The first and the last of the calendar are cut off by it. */
export function periodContaining(date: LocalDate, { months, startDay, phase }: BillingCycle): Period {
  const latest = startedIn(date, startDay);
  const first = latest - rest(latest - phase, months);
  const next = first + months;
  return {
    start: dayOfMonth(first, startDay),
    end: next > monthOf(LAST_DAY) ? LAST_DAY : addDays(dayOfMonth(next, startDay), -1),
  };
}

/** The month whose start day is the last one on or before a day. */
function startedIn(date: LocalDate, startDay: number): number {
  const month = monthOf(date);
  return date < dayOfMonth(month, startDay) ? month - 1 : month;
}

/** The rest of a division, never below zero. */
function rest(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}

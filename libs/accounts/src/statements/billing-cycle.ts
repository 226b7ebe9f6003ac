import { addDays, dayOfMonth, LAST_DAY, type LocalDate, monthOf } from '@portage/platform';

/** A period of days, both ends included. */
export interface Period {
  readonly start: LocalDate;
  readonly end: LocalDate;
}

/** A billing cycle as three whole numbers. Its periods cover the calendar without gaps or overlaps. */
export interface BillingCycle {
  /** Number of months in a period. */
  readonly months: number;
  /** Day of the month on which a period starts; in a shorter month its last day. */
  readonly startDay: number;
  /** A period starts in the months whose number (`monthOf`) modulo `months` is this value. */
  readonly phase: number;
}

/** The `account_billing_options` of an account. */
export interface BillingOptions {
  readonly period_length?: string | null;
  readonly period_length_multiplier?: number | null;
  readonly period_start_day?: number | null;
  readonly period_start_month?: number | null;
}

const MAX_MONTHS = 9999 * 12;
const JANUARY_2000 = monthOf('2000-01-01');

/**
 * The billing cycle of an account. The default is monthly from the first day of the month, also for industry billing,
 * which has no calendar.
 *
 * The start month of a quarter or a longer period is `period_start_month`. Without it, a period ends on
 * `nextBillDueDate` or last before it. Without both, a period starts in January. If a year is not a multiple of the
 * period, the start month counts from the last such month before the next bill, or before January 2000.
 */
export function billingCycleOf(
  options?: BillingOptions | null,
  nextBillDueDate?: LocalDate | null,
): BillingCycle {
  const length = options?.period_length === 'QUARTERLY' ? 3 : 1;
  const multiplier = Math.max(options?.period_length_multiplier ?? 1, 1);
  const months = Math.min(length * multiplier, MAX_MONTHS);
  const startDay = options?.period_start_day ?? 1;
  const latest = nextBillDueDate ? lastStartMonth(addDays(nextBillDueDate, 1), startDay) : JANUARY_2000;
  const month = options?.period_start_month;
  const anchor = month ? latest - modulo(latest - (month - 1), 12) : latest;
  return { months, startDay, phase: modulo(anchor, months) };
}

/** The period of a cycle that contains a day, limited to the calendar. */
export function periodContaining(date: LocalDate, { months, startDay, phase }: BillingCycle): Period {
  const latest = lastStartMonth(date, startDay);
  const first = latest - modulo(latest - phase, months);
  const next = first + months;
  return {
    start: dayOfMonth(first, startDay),
    end: next > monthOf(LAST_DAY) ? LAST_DAY : addDays(dayOfMonth(next, startDay), -1),
  };
}

/** The month with the last start day on or before a day. */
function lastStartMonth(date: LocalDate, startDay: number): number {
  const month = monthOf(date);
  return date < dayOfMonth(month, startDay) ? month - 1 : month;
}

/** The non-negative remainder of a division. */
function modulo(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}

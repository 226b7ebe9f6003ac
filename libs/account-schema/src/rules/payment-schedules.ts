import { type PaymentSchedule } from '../payment/payment-schedule';
import { type Report, rule, type Rule } from './engine/rule';
import { placeWithoutCode } from './payments';
import { dayAfter } from './terms/calendar';
import { amountText, exact, sum } from './terms/decimal';
import { given } from './terms/given';
import { grouped } from './terms/grouped';
import { inOrder, neighbours, overlapping, type Period } from './terms/period';

/** Schedules: each by itself, and those of one ledger beside each other. */
export const PAYMENT_SCHEDULE_RULES: readonly Rule[] = [
  rule({
    code: 'zero_payment_schedule_amount',
    path: 'payment_schedules.<i>.amount',
    why: 'A collection of nothing collects nothing; only a bill brings its own amount.',
    checks: {
      paymentSchedule({ trigger, amount }, _facts, report) {
        if (trigger !== 'BILL' && exact(amount) === 0)
          report('amount', 'Say how much is collected: only schedules with the trigger BILL have no amount.');
      },
    },
  }),
  rule({
    code: 'fixed_payment_schedule_amount_out_of_range',
    path: 'payment_schedules.<i>.amount',
    needs: ['instance: payment_schedule_amount_min', 'instance: payment_schedule_amount_max'],
    why: 'The operator collects no less and no more than this at once.',
    checks: {
      paymentSchedule({ trigger, amount }, { instance }, report) {
        if (trigger === 'BILL') return;
        const { payment_schedule_amount_min: min, payment_schedule_amount_max: max } = instance;
        if (given(min) && exact(amount) < exact(min)) report('amount', `Enter ${min} or more.`);
        else if (given(max) && exact(amount) > exact(max)) report('amount', `Enter ${max} or less.`);
      },
    },
  }),
  rule({
    code: 'fixed_payment_schedule_missing_frequency',
    path: 'payment_schedules.<i>.frequency',
    why: 'A regular schedule must say how often.',
    checks: {
      paymentSchedule(schedule, _facts, report) {
        if (isRegular(schedule) && !given(schedule.frequency))
          report('frequency', 'Say how often a regular schedule collects.');
      },
    },
  }),
  rule({
    code: 'fixed_payment_schedule_missing_day_of_month',
    path: 'payment_schedules.<i>.day_of_month',
    why: 'A regular schedule must say when.',
    checks: {
      paymentSchedule(schedule, _facts, report) {
        if (isRegular(schedule) && !given(schedule.day_of_month))
          report('day_of_month', 'Say on which day of the month a regular schedule collects.');
      },
    },
  }),
  rule({
    code: 'invalid_payment_day_for_payment_schedule',
    path: 'payment_schedules.<i>.day_of_month',
    needs: ['instance: payment_day_min', 'instance: payment_day_max'],
    why: 'The operator collects on these days of a month only.',
    checks: {
      paymentSchedule({ day_of_month: day }, { instance }, report) {
        const { payment_day_min: min, payment_day_max: max } = instance;
        if (given(day) && (day < min || day > max))
          report('day_of_month', `Enter a day from ${min} to ${max}. Found ${day}.`);
      },
    },
  }),
  rule({
    code: 'balance_triggered_schedule_missing_threshold',
    path: 'payment_schedules.<i>.balance_threshold',
    why: 'A schedule that waits for a balance must say which.',
    checks: {
      paymentSchedule({ trigger, balance_threshold: threshold }, _facts, report) {
        if (trigger === 'BALANCE' && !given(threshold))
          report('balance_threshold', 'Say below which balance the schedule collects.');
      },
    },
  }),
  rule({
    code: 'debt_repayment_missing_end_date',
    path: 'payment_schedules.<i>.debt_repayment_end_date',
    why: 'A debt is paid off some day.',
    checks: {
      paymentSchedule(schedule, _facts, report) {
        if (given(schedule.debt_repayment_element) && !given(schedule.debt_repayment_end_date))
          report('debt_repayment_end_date', 'Say until when the part that repays debt is collected.');
      },
    },
  }),
  rule({
    code: 'debt_repayment_end_date_after_schedule_end_date',
    path: 'payment_schedules.<i>.debt_repayment_end_date',
    why: 'Nothing is collected after the schedule has ended.',
    checks: {
      paymentSchedule({ debt_repayment_end_date: debtEnd, end_date: end }, _facts, report) {
        if (given(debtEnd) && given(end) && debtEnd > end)
          report('debt_repayment_end_date', `The schedule ends on ${end}, before ${debtEnd}.`);
      },
    },
  }),
  rule({
    code: 'invalid_payment_schedule_to_exempt_from_payment_adequacy',
    path: 'payment_schedules.<i>.exempt_from_payment_adequacy',
    why: 'Reviews look at regular schedules only, so only those can be left out.',
    checks: {
      paymentSchedule(schedule, _facts, report) {
        if (schedule.exempt_from_payment_adequacy === true && !isRegular(schedule))
          report('exempt_from_payment_adequacy', 'Only schedules with the trigger REGULAR can be exempt.');
      },
    },
  }),
  rule({
    code: 'payment_instalments_not_provided',
    path: 'payment_schedules.<i>.instalments',
    why: 'A planned schedule is its instalments.',
    checks: {
      paymentSchedule({ trigger, instalments }, _facts, report) {
        if (trigger === 'PLAN' && !given(instalments))
          report('instalments', 'A schedule with the trigger PLAN needs its instalments.');
      },
    },
  }),
  rule({
    code: 'payment_instalments_do_not_sum_to_total',
    path: 'payment_schedules.<i>.instalments',
    why: 'The instalments are all of the amount.',
    checks: {
      paymentSchedule({ amount, instalments }, _facts, report) {
        if (!given(instalments)) return;
        const total = sum(instalments, (one) => exact(one.amount));
        if (total !== exact(amount))
          report('instalments', `They sum to ${amountText(total)}, not to ${amountText(exact(amount))}.`);
      },
    },
  }),
  rule({
    code: 'payment_instalments_date_outside_of_payment_schedule_active_period',
    path: 'payment_schedules.<i>.instalments.<j>.payment_date',
    why: 'Nothing is collected before a schedule starts or after it ends.',
    checks: {
      paymentSchedule({ start_date: start, end_date: end, instalments }, _facts, report) {
        for (const [i, { payment_date: date }] of (instalments ?? []).entries()) {
          if (date < start || (given(end) && date > end))
            report(
              `instalments.${i}.payment_date`,
              `${date} lies outside the schedule, from ${start} to ${end ?? 'no end'}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'payment_schedule_delay_must_have_bill_trigger',
    path: 'payment_schedules.<i>.trigger',
    why: 'A delay is counted from a bill.',
    checks: {
      paymentSchedule({ trigger, delay_strategy: strategy, delay_days: days }, _facts, report) {
        if (trigger !== 'BILL' && (given(strategy) || given(days)))
          report('trigger', 'Only schedules with the trigger BILL have a delay.');
      },
    },
  }),
  rule({
    code: 'payment_schedule_delay_strategy_missing_delay_days',
    path: 'payment_schedules.<i>.delay_days',
    why: 'A way of counting days needs days to count.',
    checks: {
      paymentSchedule({ delay_strategy: strategy, delay_days: days }, _facts, report) {
        if (given(strategy) && !given(days))
          report('delay_days', 'Say how many days the collection is delayed.');
      },
    },
  }),
  rule({
    code: 'payment_schedules_ledger_code_uniformity_failed',
    path: 'payment_schedules.<i>.ledger_code',
    why: 'With several schedules, each must say which ledger it collects for.',
    checks: {
      account({ payment_schedules: schedules }, _facts, report) {
        const odd = placeWithoutCode(schedules);
        if (odd !== undefined)
          report(
            `payment_schedules.${odd}.ledger_code`,
            'Other schedules have a ledger code: give one to this too.',
          );
      },
    },
  }),
  rule({
    code: 'multiple_open_ended_payment_schedules',
    path: 'payment_schedules.<i>.end_date',
    why: 'Two schedules that never end collect twice for ever.',
    checks: {
      account({ payment_schedules: schedules }, _facts, report) {
        for (const group of ordinaryByLedger(schedules)) {
          for (const { place } of group.filter(({ end }) => !end).slice(1))
            report(
              `payment_schedules.${place}.end_date`,
              'Another schedule of this ledger has no end either.',
            );
        }
      },
    },
  }),
  rule({
    code: 'payment_schedule_date_overlaps',
    path: 'payment_schedules.<i>.start_date',
    why: 'Two schedules of one ledger on one day would both collect.',
    checks: {
      account({ payment_schedules: schedules }, _facts, report) {
        for (const group of ordinaryByLedger(schedules)) {
          for (const { place } of overlapping(group, true))
            report(
              `payment_schedules.${place}.start_date`,
              'An earlier schedule of this ledger still runs then.',
            );
        }
      },
    },
  }),
  rule({
    code: 'payment_schedule_date_gaps',
    path: 'payment_schedules.<i>.start_date',
    needs: ['clock'],
    why: 'From today on, nothing would be collected for a while.',
    checks: {
      account({ payment_schedules: schedules }, { today }, report) {
        for (const group of ordinaryByLedger(schedules)) reportFutureGaps(group, today, report);
      },
    },
  }),
];

/** **trigger**: REGULAR when omitted. */
function isRegular({ trigger }: PaymentSchedule): boolean {
  return trigger === undefined || trigger === 'REGULAR';
}

interface PlacedSchedule extends Period {
  readonly place: number;
}

/** Schedules that do not pay off debt, by ledger; having no ledger code is a group too. */
function ordinaryByLedger(schedules: readonly PaymentSchedule[] | undefined): PlacedSchedule[][] {
  if (!schedules || schedules.length < 2) return [];
  const ordinary = schedules.flatMap((one, place) =>
    one.is_debt_repayment_plan === true
      ? []
      : [{ code: one.ledger_code, place, start: one.start_date, end: one.end_date }],
  );
  return [...grouped(ordinary, ({ code }) => code).values()];
}

/** A predecessor that is still running is an overlap, not a gap. */
function reportFutureGaps(group: readonly PlacedSchedule[], today: string, report: Report): void {
  for (const [before, after] of neighbours(inOrder(group))) {
    if (before.end && after.start > today && after.start > dayAfter(before.end))
      report(
        `payment_schedules.${after.place}.start_date`,
        `The schedule before ends on ${before.end}; start on the day after.`,
      );
  }
}

import type { PaymentSchedule } from '../contract/payments';
import { each, rule, type Rule } from './engine/rule';
import { findWithoutLedgerCode } from './payments';
import { dayAfter } from './terms/calendar';
import { formatAmount, parseExact, sum } from './terms/decimal';
import { isGiven } from './terms/is-given';
import { groupBy } from './terms/group-by';
import { consecutivePairs, findOverlaps, sortPeriods } from './terms/period';

/** Rules about payment schedules, and about the schedules of one ledger together. */
export const PAYMENT_SCHEDULE_RULES: readonly Rule[] = [
  rule({
    code: 'zero_payment_schedule_amount',
    on: 'paymentSchedule',
    field: 'amount',
    reason: 'Only schedules with the trigger BILL take their amount from the bill.',
    breach: ({ trigger, amount }) =>
      trigger !== 'BILL' &&
      parseExact(amount) === 0 &&
      'Send the amount: only schedules with the trigger BILL have none.',
  }),
  rule({
    code: 'fixed_payment_schedule_amount_out_of_range',
    on: 'paymentSchedule',
    field: 'amount',
    needs: ['instance: payment_schedule_amount_min', 'instance: payment_schedule_amount_max'],
    reason: 'The operator limits the amount of a single collection.',
    breach: ({ trigger, amount }, { instance }) => {
      if (trigger === 'BILL') return undefined;
      const { payment_schedule_amount_min: min, payment_schedule_amount_max: max } = instance;
      if (isGiven(min) && parseExact(amount) < parseExact(min)) return `Enter ${min} or more.`;
      return isGiven(max) && parseExact(amount) > parseExact(max) && `Enter ${max} or less.`;
    },
  }),
  rule({
    code: 'fixed_payment_schedule_missing_frequency',
    on: 'paymentSchedule',
    field: 'frequency',
    reason: 'A regular schedule needs a frequency.',
    breach: (schedule) =>
      isRegular(schedule) && !isGiven(schedule.frequency) && 'Send the frequency of the regular schedule.',
  }),
  rule({
    code: 'fixed_payment_schedule_missing_day_of_month',
    on: 'paymentSchedule',
    field: 'day_of_month',
    reason: 'A regular schedule needs a day of the month.',
    breach: (schedule) =>
      isRegular(schedule) &&
      !isGiven(schedule.day_of_month) &&
      'Send the day of the month of the regular schedule.',
  }),
  rule({
    code: 'invalid_payment_day_for_payment_schedule',
    on: 'paymentSchedule',
    field: 'day_of_month',
    needs: ['instance: payment_day_min', 'instance: payment_day_max'],
    reason: 'The operator collects only on certain days of the month.',
    breach: ({ day_of_month: day }, { instance }) => {
      const { payment_day_min: min, payment_day_max: max } = instance;
      return isGiven(day) && (day < min || day > max) && `Enter a day from ${min} to ${max}. Found ${day}.`;
    },
  }),
  rule({
    code: 'balance_triggered_schedule_missing_threshold',
    on: 'paymentSchedule',
    field: 'balance_threshold',
    reason: 'A schedule triggered by the balance needs a threshold.',
    breach: ({ trigger, balance_threshold: threshold }) =>
      trigger === 'BALANCE' && !isGiven(threshold) && 'Send the balance threshold of the schedule.',
  }),
  rule({
    code: 'debt_repayment_missing_end_date',
    on: 'paymentSchedule',
    field: 'debt_repayment_end_date',
    reason: 'Repayment of a debt must have an end date.',
    breach: (schedule) =>
      isGiven(schedule.debt_repayment_element) &&
      !isGiven(schedule.debt_repayment_end_date) &&
      'Send the end date of the debt repayment.',
  }),
  rule({
    code: 'debt_repayment_end_date_after_schedule_end_date',
    on: 'paymentSchedule',
    field: 'debt_repayment_end_date',
    reason: 'A schedule collects nothing after it has ended.',
    breach: ({ debt_repayment_end_date: debtEnd, end_date: end }) =>
      isGiven(debtEnd) && isGiven(end) && debtEnd > end && `The schedule ends on ${end}, before ${debtEnd}.`,
  }),
  rule({
    code: 'invalid_payment_schedule_to_exempt_from_payment_adequacy',
    on: 'paymentSchedule',
    field: 'exempt_from_payment_adequacy',
    reason: 'Payment reviews cover regular schedules only, so only those can be exempt.',
    breach: (schedule) =>
      schedule.exempt_from_payment_adequacy === true &&
      !isRegular(schedule) &&
      'Only schedules with the trigger REGULAR can be exempt.',
  }),
  rule({
    code: 'payment_instalments_not_provided',
    on: 'paymentSchedule',
    field: 'instalments',
    reason: 'A schedule with the trigger PLAN consists of its instalments.',
    breach: ({ trigger, instalments }) =>
      trigger === 'PLAN' &&
      !isGiven(instalments) &&
      'A schedule with the trigger PLAN needs its instalments.',
  }),
  rule({
    code: 'payment_instalments_do_not_sum_to_total',
    on: 'paymentSchedule',
    field: 'instalments',
    reason: 'The instalments must sum to the amount of the schedule.',
    breach: ({ amount, instalments }) => {
      if (!isGiven(instalments)) return undefined;
      const total = sum(instalments, (one) => parseExact(one.amount));
      return (
        total !== parseExact(amount) &&
        `The instalments sum to ${formatAmount(total)}, not to ${formatAmount(parseExact(amount))}.`
      );
    },
  }),
  rule({
    code: 'payment_instalments_date_outside_of_payment_schedule_active_period',
    on: 'paymentSchedule',
    field: 'instalments.<i>.payment_date',
    reason: 'A schedule collects nothing before it starts or after it has ended.',
    breach: ({ instalments, start_date: start, end_date: end }) =>
      each(
        instalments,
        ({ payment_date: date }) =>
          (date < start || (isGiven(end) && date > end)) &&
          `${date} lies outside the schedule, from ${start} to ${end ?? 'no end'}.`,
      ),
  }),
  rule({
    code: 'payment_schedule_delay_must_have_bill_trigger',
    on: 'paymentSchedule',
    field: 'trigger',
    reason: 'A delay is counted from the date of a bill.',
    breach: ({ trigger, delay_strategy: strategy, delay_days: days }) =>
      trigger !== 'BILL' &&
      (isGiven(strategy) || isGiven(days)) &&
      'Only schedules with the trigger BILL have a delay.',
  }),
  rule({
    code: 'payment_schedule_delay_strategy_missing_delay_days',
    on: 'paymentSchedule',
    field: 'delay_days',
    reason: 'A delay strategy needs a number of days.',
    breach: ({ delay_strategy: strategy, delay_days: days }) =>
      isGiven(strategy) && !isGiven(days) && 'Send the number of days by which the collection is delayed.',
  }),
  rule({
    code: 'payment_schedules_ledger_code_uniformity_failed',
    on: 'account',
    field: 'payment_schedules.<i>.ledger_code',
    reason: 'With several schedules, each must name the ledger that it collects for.',
    breach: ({ payment_schedules: schedules }) => {
      const odd = findWithoutLedgerCode(schedules);
      return each(schedules, (one) => one === odd && 'Send a ledger code: other schedules have one.');
    },
  }),
  rule({
    code: 'multiple_open_ended_payment_schedules',
    on: 'account',
    field: 'payment_schedules.<i>.end_date',
    reason: 'Two schedules without an end would collect twice.',
    breach: ({ payment_schedules: schedules }) =>
      groupWithoutDebtByLedger(schedules).flatMap((group) => {
        const [first, ...others] = group.filter(({ end }) => !end);
        const detail = `Repeats payment_schedules.${first?.index ?? 0} of this ledger, which has no end either.`;
        return others.map(({ index }) => ({ indexes: [index], detail }));
      }),
  }),
  rule({
    code: 'payment_schedule_date_overlaps',
    on: 'account',
    field: 'payment_schedules.<i>.start_date',
    cost: 'sorting',
    reason: 'Two overlapping schedules of one ledger would collect twice.',
    breach: ({ payment_schedules: schedules }) => {
      const detail = 'An earlier schedule of this ledger has not ended before this day.';
      return groupWithoutDebtByLedger(schedules).flatMap((group) =>
        findOverlaps(group, true).map(({ index }) => ({ indexes: [index], detail })),
      );
    },
  }),
  rule({
    code: 'payment_schedule_date_gaps',
    on: 'account',
    field: 'payment_schedules.<i>.start_date',
    cost: 'sorting',
    needs: ['clock'],
    reason: 'Payments would stop between two schedules.',
    breach: ({ payment_schedules: schedules }, { today }) =>
      groupWithoutDebtByLedger(schedules).flatMap((group) =>
        consecutivePairs(sortPeriods(group)).flatMap(([{ end }, { start, index }]) =>
          // A predecessor without an end is an overlap, not a gap.
          end && start > today && start > dayAfter(end)
            ? [{ indexes: [index], detail: `The previous schedule ends on ${end}: start on the day after.` }]
            : [],
        ),
      ),
  }),
];

/** An omitted trigger means REGULAR. */
function isRegular({ trigger }: PaymentSchedule): boolean {
  return trigger === undefined || trigger === 'REGULAR';
}

/** Groups the schedules that do not repay debt by ledger; schedules without a ledger code form a group. */
function groupWithoutDebtByLedger(schedules: readonly PaymentSchedule[] = []) {
  if (schedules.length < 2) return [];
  const ordinary = schedules.flatMap((one, index) =>
    one.is_debt_repayment_plan === true
      ? []
      : [{ ledger: one.ledger_code, index, start: one.start_date, end: one.end_date }],
  );
  return [...groupBy(ordinary, ({ ledger }) => ledger).values()];
}

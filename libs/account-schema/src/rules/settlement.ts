import { listRule } from './engine/list-rule';
import { each, rule, type Rule, valueRule } from './engine/rule';
import { dayAfter } from './terms/calendar';
import { isGiven } from './terms/is-given';
import { consecutivePairs, periodsOf, sortPeriods } from './terms/period';
import { quote } from './terms/quote';
import { findRepeats, keyOf } from './terms/find-repeats';
import { billedRegisters, isActive, isBillable, isHalfHourly } from './terms/supply';

/** Rules about settlement data of the British market: estimates, quantities, configurations and time patterns. */
export const SETTLEMENT_RULES: readonly Rule[] = [
  valueRule({
    code: 'zero_length_periods',
    at: { electricityMeterPoint: ['capacity_values', 'configuration_periods'] },
    reason: 'A period must last at least one day.',
    breach: (periods) =>
      periods.some((one) => one.effective_to_date === one.effective_from_date) &&
      'A period ends on the day on which it starts.',
  }),
  rule({
    code: 'configuration_period_starts_in_future',
    on: 'electricityMeterPoint',
    field: 'configuration_periods.<i>.effective_from_date',
    needs: ['clock'],
    reason: 'A settlement configuration that starts in the future may still change.',
    breach: ({ configuration_periods: periods }, { today }) =>
      each(periods, ({ effective_from_date: from }) => from > today && `${from} is after today.`),
  }),
  rule({
    code: 'latest_configuration_period_not_open_ended',
    on: 'electricityMeterPoint',
    field: 'configuration_periods.<i>.effective_to_date',
    reason: 'The settlement configuration in force has no end.',
    breach: ({ configuration_periods: periods }) => {
      if (!isGiven(periods)) return undefined;
      const latest = periods.reduce((a, b) => (b.effective_from_date > a.effective_from_date ? b : a));
      return each(
        periods,
        (period) =>
          period === latest &&
          isGiven(period.effective_to_date) &&
          'The latest period is in force: leave its end out.',
      );
    },
  }),
  rule({
    code: 'repeated_eac_for_tpr',
    on: 'electricityMeterPoint',
    field: 'eac_history',
    reason: 'A time pattern regime has one estimate from a given day.',
    breach: ({ eac_history: entries }) => {
      const [repeat] = findRepeats(entries, ({ effective_from: from, tpr }) => keyOf(from, tpr));
      return (
        repeat &&
        `Send one estimate for each time pattern and start day: entries ${repeat.first} and ${repeat.index} have the same.`
      );
    },
  }),
  rule({
    code: 'missing_eacs_for_active_register_tpr',
    on: 'electricityMeterPoint',
    field: 'eac_history',
    completeness: true,
    reason: 'Settlement needs an estimate for the time pattern of each register.',
    breach: ({ meters, eac_history: entries }) => {
      const estimated = new Set(entries?.map(({ tpr }) => tpr));
      const missing = billedRegisters(meters).find(({ tpr }) => isGiven(tpr) && !estimated.has(tpr));
      return missing && `There is no estimate for the time pattern ${quote(missing.tpr ?? '')}.`;
    },
  }),
  listRule({
    code: 'tpr_not_found',
    lists: { tprs: (code) => `There is no time pattern regime ${code}.` },
    reason: 'The time pattern must be one that the operator has configured.',
  }),
  rule({
    code: 'registers_have_duplicate_tprs',
    on: 'electricityMeter',
    field: 'registers.<i>.tpr',
    reason: 'Registers of a meter count different time patterns; a few patterns are shared by two registers.',
    breach: ({ registers }) => {
      const seen = new Map<string, { first: number; times: number }>();
      return each(registers, ({ tpr }, i) => {
        if (!isGiven(tpr)) return undefined;
        const { first, times } = seen.get(tpr) ?? { first: i, times: 0 };
        seen.set(tpr, { first, times: times + 1 });
        return (
          times >= maxRegistersPerTpr(tpr) &&
          `Repeats registers.${first}, which has this time pattern as well.`
        );
      });
    },
  }),
  rule({
    code: 'registers_missing_for_active_electricity_meter',
    on: 'electricityMeterPoint',
    field: 'meters.<i>.registers',
    tier: 'gbr',
    completeness: true,
    reason: 'Billing and settlement need registers with time patterns.',
    breach: (point) => {
      const needsPattern = !isHalfHourly(point);
      return each(point.meters, (meter) => {
        if (!isActive(meter)) return undefined;
        if (!isGiven(meter.registers)) return 'Send the registers of the active meter.';
        const isIncomplete = needsPattern && meter.registers.some(({ tpr }) => !isGiven(tpr));
        return isIncomplete && 'Send the tpr of each register.';
      });
    },
  }),
  rule({
    code: 'no_current_or_future_aq_entry_found',
    on: 'gasMeterPoint',
    field: 'aq_history',
    completeness: true,
    needs: ['clock'],
    reason: 'Gas is settled by the annual quantity in force.',
    breach: (point, { today }) => {
      if (!isBillable(point, today)) return undefined;
      const isCurrent = point.aq_history?.some(({ effective_to: to }) => !isGiven(to) || to >= today);
      return !isCurrent && 'Send the annual quantity that is in force today.';
    },
  }),
  rule({
    code: 'multiple_open_ended_aqs_in_meterpoint_aq_history',
    on: 'gasMeterPoint',
    field: 'aq_history',
    reason: 'Only one annual quantity can be in force.',
    breach: ({ aq_history: entries }) => {
      const open = entries?.filter(({ effective_to: to }) => !isGiven(to)) ?? [];
      return open.length > 1 && `At most one quantity may have no end, not ${open.length}.`;
    },
  }),
  rule({
    code: 'gaps_or_overlaps_in_aq_history',
    on: 'gasMeterPoint',
    field: 'aq_history',
    cost: 'sorting',
    reason: 'Exactly one annual quantity is in force on each day. Both ends of an entry are included.',
    breach: ({ aq_history: entries }) => {
      const periods = periodsOf(entries, 'effective_from', 'effective_to');
      const wrong = consecutivePairs(sortPeriods(periods)).find(
        ([before, after]) => !before.end || dayAfter(before.end) !== after.start,
      );
      return wrong && `The quantity from ${wrong[1].start} must start the day after the previous one ends.`;
    },
  }),
];

/** A few time patterns are shared by both registers of a special kind of meter; all others belong to one register. */
function maxRegistersPerTpr(tpr: string): number {
  const isShared = /^012[0-2]\d$/.test(tpr) && Number(tpr) >= 1201 && Number(tpr) % 2 === 1;
  return isShared ? 2 : 1;
}

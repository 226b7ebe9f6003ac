import { customRule, type Report, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/** Rules about start and end dates of all objects that have both. */
export const PERIOD_RULES: readonly Rule[] = [
  customRule({
    code: 'start_date_later_than_end_date',
    at: {
      agreement: ['effective_to'],
      commissionContract: ['effective_to'],
      contributionAgreement: ['active_period_end_date', 'periods.<i>.end_date'],
      electricityMeterPoint: [
        'capacity_values.<i>.effective_to_date',
        'configuration_periods.<i>.effective_to_date',
      ],
      gasMeterPoint: ['aq_history.<i>.effective_to'],
      lineItem: ['end_date'],
      meterPoint: ['supply_end_date'],
      partnerOrganisation: ['valid_to'],
      paymentSchedule: ['end_date'],
      propertyAdministrator: ['effective_to'],
      statement: ['bill_period_to_date'],
    },
    reason: 'An end must not be before its start.',
    checks: {
      agreement(one, _facts, report) {
        checkOrder(one.effective_from, one.effective_to, 'effective_to', report);
      },
      commissionContract(one, _facts, report) {
        checkOrder(one.effective_from, one.effective_to, 'effective_to', report);
      },
      contributionAgreement(one, _facts, report) {
        const end = 'active_period_end_date';
        checkOrder(one.active_period_start_date, one.active_period_end_date, end, report);
        for (const [i, period] of (one.periods ?? []).entries())
          checkOrder(period.start_date, period.end_date, `periods.${i}.end_date`, report);
      },
      electricityMeterPoint(one, _facts, report) {
        for (const list of ['capacity_values', 'configuration_periods'] as const) {
          for (const [i, period] of (one[list] ?? []).entries()) {
            const path = `${list}.${i}.effective_to_date`;
            checkOrder(period.effective_from_date, period.effective_to_date, path, report);
          }
        }
      },
      gasMeterPoint({ aq_history: entries }, _facts, report) {
        for (const [i, entry] of (entries ?? []).entries())
          checkOrder(entry.effective_from, entry.effective_to, `aq_history.${i}.effective_to`, report);
      },
      lineItem(one, _facts, report) {
        checkOrder(one.start_date, one.end_date, 'end_date', report);
      },
      meterPoint(one, _facts, report) {
        checkOrder(one.supply_start_date, one.supply_end_date, 'supply_end_date', report);
      },
      partnerOrganisation(one, _facts, report) {
        checkOrder(one.valid_from, one.valid_to, 'valid_to', report);
      },
      paymentSchedule(one, _facts, report) {
        checkOrder(one.start_date, one.end_date, 'end_date', report);
      },
      propertyAdministrator(one, _facts, report) {
        checkOrder(one.effective_from, one.effective_to, 'effective_to', report);
      },
      statement(one, _facts, report) {
        checkOrder(one.bill_period_from_date, one.bill_period_to_date, 'bill_period_to_date', report);
      },
    },
  }),
  customRule({
    code: 'start_date_same_as_end_date',
    at: { accountCampaign: ['expiry_date'], taxExemption: ['effective_to'] },
    reason: 'A campaign or exemption must last at least one day.',
    checks: {
      accountCampaign({ start_date: start, expiry_date: end }, _facts, report) {
        if (isGiven(start) && isGiven(end) && end <= start)
          report('expiry_date', `Enter a day after the start on ${start}.`);
      },
      taxExemption({ effective_from: start, effective_to: end }, _facts, report) {
        if (isGiven(end) && end <= start) report('effective_to', `Enter a day after the start on ${start}.`);
      },
    },
  }),
];

function checkOrder(
  start: string | null | undefined,
  end: string | null | undefined,
  path: string,
  report: Report,
): void {
  if (isGiven(start) && isGiven(end) && end < start) report(path, `${end} is before the start, ${start}.`);
}

import { type Report, rule, type Rule } from './engine/rule';
import { given } from './terms/given';

/** Beginnings and ends, wherever an object has both. */
export const PERIOD_RULES: readonly Rule[] = [
  rule({
    code: 'start_date_later_than_end_date',
    path: '…',
    why: 'Nothing ends before it starts.',
    checks: {
      agreement(one, _facts, report) {
        ordered(one.effective_from, one.effective_to, 'effective_to', report);
      },
      commissionContract(one, { isBritishMarket }, report) {
        if (isBritishMarket) ordered(one.effective_from, one.effective_to, 'effective_to', report);
      },
      contributionAgreement(one, _facts, report) {
        const end = 'active_period_end_date';
        ordered(one.active_period_start_date, one.active_period_end_date, end, report);
        for (const [i, period] of (one.periods ?? []).entries())
          ordered(period.start_date, period.end_date, `periods.${i}.end_date`, report);
      },
      electricityMeterPoint(one, { isBritishMarket }, report) {
        if (!isBritishMarket) return;
        for (const list of ['capacity_values', 'configuration_periods'] as const) {
          for (const [i, period] of (one[list] ?? []).entries()) {
            const path = `${list}.${i}.effective_to_date`;
            ordered(period.effective_from_date, period.effective_to_date, path, report);
          }
        }
      },
      gasMeterPoint({ aq_history: entries }, { isBritishMarket }, report) {
        if (!isBritishMarket) return;
        for (const [i, entry] of (entries ?? []).entries())
          ordered(entry.effective_from, entry.effective_to, `aq_history.${i}.effective_to`, report);
      },
      lineItem(one, _facts, report) {
        ordered(one.start_date, one.end_date, 'end_date', report);
      },
      meterPoint(one, _facts, report) {
        ordered(one.supply_start_date, one.supply_end_date, 'supply_end_date', report);
      },
      partnerOrganisation(one, _facts, report) {
        ordered(one.valid_from, one.valid_to, 'valid_to', report);
      },
      paymentSchedule(one, _facts, report) {
        ordered(one.start_date, one.end_date, 'end_date', report);
      },
      propertyAdministrator(one, _facts, report) {
        ordered(one.effective_from, one.effective_to, 'effective_to', report);
      },
      statement(one, _facts, report) {
        ordered(one.bill_period_from_date, one.bill_period_to_date, 'bill_period_to_date', report);
      },
    },
  }),
  rule({
    code: 'start_date_same_as_end_date',
    path: 'account_campaigns.<i>.expiry_date | … .ccl_exemptions.<k>.effective_to | … .vat_exemptions.<k>.effective_to',
    why: 'A label or an exemption of no days has no effect.',
    checks: {
      accountCampaign({ start_date: start, expiry_date: end }, _facts, report) {
        if (given(start) && given(end) && end <= start)
          report('expiry_date', `Enter a day after the start on ${start}.`);
      },
      taxExemption({ effective_from: start, effective_to: end }, { isBritishMarket }, report) {
        if (isBritishMarket && given(end) && end <= start)
          report('effective_to', `Enter a day after the start on ${start}.`);
      },
    },
  }),
];

function ordered(
  start: string | null | undefined,
  end: string | null | undefined,
  path: string,
  report: Report,
): void {
  if (given(start) && given(end) && end < start) report(path, `${end} is before the start, ${start}.`);
}

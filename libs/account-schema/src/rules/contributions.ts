import { listRule } from './engine/list-rule';
import { customRule, each, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { groupBy } from './terms/group-by';
import { findOverlaps, periodsOf } from './terms/period';
import { quote } from './terms/quote';

/** Rules about agreements to pay fixed amounts into schemes. */
export const CONTRIBUTION_RULES: readonly Rule[] = [
  listRule({
    code: 'invalid_contribution_scheme',
    lists: { contribution_schemes: (code) => `There is no contribution scheme ${code}.` },
    reason: 'The scheme must be one that the operator has configured.',
  }),
  customRule({
    code: 'overlapping_contribution_agreements',
    at: { account: ['contribution_agreements'] },
    cost: 'sorting',
    reason: 'Two overlapping agreements on one scheme would collect twice.',
    checks: {
      account({ contribution_agreements: agreements }, _facts, report) {
        if (!agreements || agreements.length < 2) return;
        for (const [scheme, members] of groupBy(agreements, (one) => one.scheme)) {
          const periods = periodsOf(members, 'active_period_start_date', 'active_period_end_date');
          if (findOverlaps(periods, true).length > 0)
            report('contribution_agreements', `Agreements on the scheme ${quote(scheme)} overlap.`);
        }
      },
    },
  }),
  rule({
    code: 'invalid_contribution_period_start_date',
    on: 'contributionAgreement',
    field: 'periods.<i>.start_date',
    reason: 'A contribution period must lie within its agreement.',
    breach: ({ periods, active_period_start_date: start }) =>
      each(
        periods,
        (one) => one.start_date < start && `The agreement starts on ${start}, after ${one.start_date}.`,
      ),
  }),
  rule({
    code: 'invalid_contribution_period_end_date',
    on: 'contributionAgreement',
    field: 'periods.<i>.end_date',
    reason: 'A contribution period must lie within its agreement.',
    breach: ({ periods, active_period_end_date: end }) =>
      isGiven(end) &&
      each(periods, (one) => one.end_date > end && `The agreement ends on ${end}, before ${one.end_date}.`),
  }),
  rule({
    code: 'overlapping_contribution_periods',
    on: 'contributionAgreement',
    field: 'periods',
    cost: 'sorting',
    reason: 'A day is paid for once.',
    breach: ({ periods }) =>
      findOverlaps(periodsOf(periods, 'start_date', 'end_date'), false).length > 0 &&
      'Periods of contribution overlap.',
  }),
];

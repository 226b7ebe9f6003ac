import { rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { groupBy } from './terms/group-by';
import { findOverlaps } from './terms/period';
import { quote } from './terms/quote';

/** Rules about agreements to pay fixed amounts into schemes. */
export const CONTRIBUTION_RULES: readonly Rule[] = [
  rule({
    code: 'invalid_contribution_scheme',
    path: 'contribution_agreements.<i>.scheme',
    needs: ['reference data: contribution_schemes'],
    reason: 'The scheme must be one that the operator has configured.',
    checks: {
      contributionAgreement({ scheme }, { references, nearest }, report) {
        if (references.has('contribution_schemes', scheme) === false)
          report(
            'scheme',
            `There is no contribution scheme ${quote(scheme)}.${nearest.describe(scheme, references.members('contribution_schemes'))}`,
          );
      },
    },
  }),
  rule({
    code: 'overlapping_contribution_agreements',
    cost: 'sorting',
    path: 'contribution_agreements',
    reason: 'Two overlapping agreements on one scheme would collect twice.',
    checks: {
      account({ contribution_agreements: agreements }, _facts, report) {
        if (!agreements || agreements.length < 2) return;
        for (const [scheme, members] of groupBy(agreements, (one) => one.scheme)) {
          const periods = members.map((one) => ({
            start: one.active_period_start_date,
            end: one.active_period_end_date,
          }));
          if (findOverlaps(periods, true).length > 0)
            report('contribution_agreements', `Agreements on the scheme ${quote(scheme)} overlap.`);
        }
      },
    },
  }),
  rule({
    code: 'invalid_contribution_period_start_date',
    path: 'contribution_agreements.<i>.periods.<j>.start_date',
    reason: 'A contribution period must lie within its agreement.',
    checks: {
      contributionAgreement({ active_period_start_date: start, periods }, _facts, report) {
        for (const [i, period] of (periods ?? []).entries()) {
          if (period.start_date < start)
            report(
              `periods.${i}.start_date`,
              `The agreement starts on ${start}, after ${period.start_date}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'invalid_contribution_period_end_date',
    path: 'contribution_agreements.<i>.periods.<j>.end_date',
    reason: 'A contribution period must lie within its agreement.',
    checks: {
      contributionAgreement({ active_period_end_date: end, periods }, _facts, report) {
        if (!isGiven(end)) return;
        for (const [i, period] of (periods ?? []).entries()) {
          if (period.end_date > end)
            report(`periods.${i}.end_date`, `The agreement ends on ${end}, before ${period.end_date}.`);
        }
      },
    },
  }),
  rule({
    code: 'overlapping_contribution_periods',
    cost: 'sorting',
    path: 'contribution_agreements.<i>.periods',
    reason: 'A day is paid for once.',
    checks: {
      contributionAgreement({ periods }, _facts, report) {
        const days = (periods ?? []).map((one) => ({ start: one.start_date, end: one.end_date }));
        if (findOverlaps(days, false).length > 0) report('periods', 'Periods of contribution overlap.');
      },
    },
  }),
];

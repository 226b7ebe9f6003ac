import { fieldRule, rule, type Rule, valueRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { findOverlaps, periodsOf } from './terms/period';
import { isActive, isBillable, isUnmetered } from './terms/supply';

/** Rules about meter points: their supply dates, transfers in progress, tax exemptions and smart metering. */
export const METER_POINT_RULES: readonly Rule[] = [
  fieldRule({
    code: 'invalid_supply_point_identifier',
    at: { meterPoint: ['identifier'], commissionContract: ['mpxn'] },
    reason: 'The check digits must fit: a wrong digit would bill another customer.',
  }),
  fieldRule({
    code: 'supply_type_not_recognised',
    at: { meterPoint: ['supply_type'] },
    tier: 'gbr',
    reportedAs: 'invalid_choice',
    reason: 'The supply type determines the formats of identifiers and serial numbers.',
  }),
  rule({
    code: 'loss_in_progress',
    on: 'meterPoint',
    field: 'supply_end_date',
    needs: ['clock'],
    reason: 'A meter point whose supply is about to end cannot be migrated.',
    breach: ({ supply_end_date: end }, { today }) =>
      isGiven(end) && end > today && `Supply ends on ${end}: import the account after that day.`,
  }),
  rule({
    code: 'future_supply_end_date',
    on: 'meterPoint',
    field: 'supply_end_date',
    tier: 'gbr',
    needs: ['clock'],
    reason: 'The market has not yet confirmed an end of supply that lies in the future.',
    breach: ({ supply_end_date: end }, { today }) => isGiven(end) && end > today && `${end} is after today.`,
  }),
  rule({
    code: 'future_supply_start_date',
    on: 'meterPoint',
    field: 'supply_start_date',
    tier: 'gbr',
    needs: ['clock'],
    reason: 'A meter point that is not on supply yet cannot be migrated.',
    breach: (point, { today }) =>
      isBillable(point, today) &&
      point.supply_start_date > today &&
      `${point.supply_start_date} is after today.`,
  }),
  rule({
    code: 'disputed_read_in_progress',
    on: 'meterPoint',
    field: 'dr_in_progress',
    reason: 'A dispute about a reading must be settled in the old system.',
    breach: ({ dr_in_progress: isOpen }) =>
      isOpen === true && 'Settle the disputed reading before the import.',
  }),
  rule({
    code: 'erroneous_transfer_not_in_progress',
    on: 'meterPoint',
    field: 'et_in_progress',
    reason: "An erroneous transfer must be undone in the old system. (The code's name says the opposite.)",
    breach: ({ et_in_progress: isOpen }) =>
      isOpen === true && 'Undo the erroneous transfer before the import.',
  }),
  rule({
    code: 'meter_point_with_no_meters',
    on: 'meterPoint',
    field: 'meters',
    tier: 'gbr',
    completeness: true,
    needs: ['clock'],
    reason: 'A meter point on supply needs a meter unless it is unmetered.',
    breach: (point, { today }) => {
      const meters: readonly { removed_on?: string | null }[] = point.meters ?? [];
      return (
        isBillable(point, today) &&
        !isUnmetered(point) &&
        !meters.some(isActive) &&
        'The meter point is on supply and metered: send an active meter.'
      );
    },
  }),
  valueRule({
    code: 'tax_exemptions_provided_for_domestic_account',
    at: { meterPoint: ['vat_exemptions', 'ccl_exemptions'] },
    first: true,
    reason: 'These exemptions are for business accounts only.',
    breach: (_exemptions, { isDomestic }) =>
      isDomestic && 'Exemptions are for business accounts: leave them out.',
  }),
  valueRule({
    code: 'multiple_open_ended_tax_exemptions',
    at: { meterPoint: ['ccl_exemptions', 'vat_exemptions'] },
    reason: 'Only one exemption of a tax can be in force on a day.',
    breach: (exemptions) => {
      const open = exemptions.filter((one) => !isGiven(one.effective_to)).length;
      return open > 1 && `At most one exemption may have no end, not ${open}.`;
    },
  }),
  valueRule({
    code: 'overlapping_effective_dates_for_tax_exemptions',
    at: { meterPoint: ['ccl_exemptions', 'vat_exemptions'] },
    cost: 'sorting',
    reason: 'Only one exemption of a tax can be in force on a day.',
    breach: (exemptions) =>
      findOverlaps(periodsOf(exemptions, 'effective_from', 'effective_to'), false).length > 0 &&
      'Exemptions overlap.',
  }),
  rule({
    code: 'smart_refusal_reason_given_for_interest',
    on: 'meterPoint',
    field: 'smart_refusal_interest.refusal_reason',
    reason: 'A customer who wants a smart meter has no reason for refusing one.',
    breach: ({ smart_refusal_interest: interest }) =>
      interest?.type === 'INTERESTED' &&
      isGiven(interest.refusal_reason) &&
      'The customer is interested: leave the reason out.',
  }),
];

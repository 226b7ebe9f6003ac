import { fieldRule, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { overlapping } from './terms/period';
import { isActive, isBillable, isUnmetered } from './terms/supply';

/** Meter points: whether they are on supply, and whether they can be moved at all. */
export const METER_POINT_RULES: readonly Rule[] = [
  fieldRule({
    code: 'invalid_supply_point_identifier',
    path: 'supply_addresses.<i>.meter_points.<j>.identifier | commission_contracts.<i>.mpxn',
    why: 'A wrong digit would bill the neighbour; check digits catch it.',
  }),
  fieldRule({
    code: 'supply_type_not_recognised',
    path: 'supply_addresses.<i>.meter_points.<j>.supply_type',
    tier: 'gbr',
    answeredAs: 'invalid_choice',
    why: 'What identifiers and serial numbers look like depends on what is supplied.',
  }),
  rule({
    code: 'loss_in_progress',
    path: 'supply_addresses.<i>.meter_points.<j>.supply_end_date',
    needs: ['clock'],
    why: 'A meter point that is about to leave would leave in the middle of the move.',
    checks: {
      meterPoint({ supply_end_date: end }, { today }, report) {
        if (given(end) && end > today)
          report('supply_end_date', `Supply is to end on ${end}: import the account when that is over.`);
      },
    },
  }),
  rule({
    code: 'future_supply_end_date',
    path: 'supply_addresses.<i>.meter_points.<j>.supply_end_date',
    tier: 'gbr',
    needs: ['clock'],
    why: 'The market has not confirmed an end that lies ahead.',
    checks: {
      meterPoint({ supply_end_date: end }, { today }, report) {
        if (given(end) && end > today) report('supply_end_date', `${end} is after today.`);
      },
    },
  }),
  rule({
    code: 'future_supply_start_date',
    path: 'supply_addresses.<i>.meter_points.<j>.supply_start_date',
    tier: 'gbr',
    needs: ['clock'],
    why: 'A meter point that is not on supply yet has nothing to move.',
    checks: {
      meterPoint(point, { today }, report) {
        if (isBillable(point, today) && point.supply_start_date > today)
          report('supply_start_date', `${point.supply_start_date} is after today.`);
      },
    },
  }),
  rule({
    code: 'disputed_read_in_progress',
    path: 'supply_addresses.<i>.meter_points.<j>.dr_in_progress',
    tier: 'gbr',
    why: 'A dispute about a reading is settled where it was begun.',
    checks: {
      meterPoint({ dr_in_progress: isOpen }, _facts, report) {
        if (isOpen === true) report('dr_in_progress', 'Settle the disputed reading before the move.');
      },
    },
  }),
  rule({
    code: 'erroneous_transfer_not_in_progress',
    path: 'supply_addresses.<i>.meter_points.<j>.et_in_progress',
    tier: 'gbr',
    why: 'A transfer that is being undone is undone where it was made. (The name of the code says the opposite.)',
    checks: {
      meterPoint({ et_in_progress: isOpen }, _facts, report) {
        if (isOpen === true) report('et_in_progress', 'Undo the erroneous transfer before the move.');
      },
    },
  }),
  rule({
    code: 'meter_point_with_no_meters',
    path: 'supply_addresses.<i>.meter_points.<j>.meters',
    tier: 'gbr',
    completeness: true,
    needs: ['clock'],
    why: 'What is supplied is measured, unless it is an unmetered supply.',
    checks: {
      meterPoint(point, { today }, report) {
        const meters: readonly { removed_on?: string | null }[] = point.meters ?? [];
        if (isBillable(point, today) && !isUnmetered(point) && !meters.some(isActive))
          report('meters', 'The meter point is on supply and metered, so it needs a meter that is in use.');
      },
    },
  }),
  rule({
    code: 'tax_exemptions_provided_for_domestic_account',
    path: '… .meter_points.<j>.vat_exemptions | … .meter_points.<j>.ccl_exemptions',
    tier: 'gbr',
    why: 'Homes pay these taxes in full, or not at all.',
    checks: {
      meterPoint(point, { isDomestic }, report) {
        const list = isDomestic && EXEMPTIONS.find((one) => given(point[one]));
        if (list) report(list, 'Exemptions are for business accounts; this account is domestic.');
      },
    },
  }),
  rule({
    code: 'multiple_open_ended_tax_exemptions',
    path: '… .meter_points.<j>.ccl_exemptions | … .meter_points.<j>.vat_exemptions',
    tier: 'gbr',
    why: 'On a day one share is exempt.',
    checks: {
      meterPoint(point, _facts, report) {
        for (const list of EXEMPTIONS) {
          const open = point[list]?.filter((one) => !given(one.effective_to)) ?? [];
          if (open.length > 1) report(list, `One exemption may be without an end, not ${open.length}.`);
        }
      },
    },
  }),
  rule({
    code: 'overlapping_effective_dates_for_tax_exemptions',
    path: '… .meter_points.<j>.ccl_exemptions | … .meter_points.<j>.vat_exemptions',
    tier: 'gbr',
    why: 'On a day one share is exempt.',
    checks: {
      meterPoint(point, _facts, report) {
        for (const list of EXEMPTIONS) {
          const periods = (point[list] ?? []).map((one) => ({
            start: one.effective_from,
            end: one.effective_to,
          }));
          if (overlapping(periods, false).length > 0) report(list, 'Exemptions overlap.');
        }
      },
    },
  }),
  rule({
    code: 'smart_refusal_reason_given_for_interest',
    path: 'supply_addresses.<i>.meter_points.<j>.smart_refusal_interest.refusal_reason',
    tier: 'gbr',
    why: 'Who wants a smart meter has no reason against it.',
    checks: {
      meterPoint({ smart_refusal_interest: interest }, _facts, report) {
        if (interest?.type === 'INTERESTED' && given(interest.refusal_reason))
          report(
            'smart_refusal_interest.refusal_reason',
            'The customer is interested: leave the reason out.',
          );
      },
    },
  }),
];

const EXEMPTIONS = ['vat_exemptions', 'ccl_exemptions'] as const;

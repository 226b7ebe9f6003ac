import type { AnyMeter, ElectricityMeter, GasMeter } from '../contract/meters';
import { fieldRule, type Rule, customRule, rule } from './engine/rule';
import { dayAfter } from './terms/calendar';
import { isGiven } from './terms/is-given';
import { groupBy } from './terms/group-by';
import { type BilledMeter, billedToDatesOf, isFullyBilled } from './terms/last-billed-to-date';
import { quote } from './terms/quote';
import { findRepeats } from './terms/find-repeats';
import { findReplacements, isActive, isExchanged, isHalfHourly, isSettlement } from './terms/supply';

/** Rules about meters: last-billed-to dates, exchanges, registers, smart meters and prepayment. */
export const METER_RULES: readonly Rule[] = [
  fieldRule({
    code: 'blank',
    at: { meter: ['meter_serial_number'] },
    reason: 'A required text, here and in every other object, must contain something other than blanks.',
  }),
  fieldRule({
    code: 'invalid_meter_serial_number',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.meter_serial_number'],
    tier: 'gbr',
    reason:
      'Serial numbers consist of letters and digits, with single spaces between them: at most 10 characters for electricity and 14 for gas.',
  }),
  customRule({
    code: 'last_billed_to_date_not_found',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>'],
    completeness: true,
    reason: 'An account with billing history must say up to which day each active meter was billed.',
    checks: {
      meterPoint(point, { account, hasStatementHistory }, report) {
        if (isHalfHourly(point)) return;
        for (const [i, meter] of metersOf(point).entries()) {
          if (
            !isActive(meter) ||
            (point.supply_type === 'ELECTRICITY' && !meter.registers?.some(isSettlement))
          )
            continue;
          // Checked last: few meters have no date, and hasStatementHistory reads the whole account.
          if (billedToDatesOf(meter, point, account).includes(undefined) && hasStatementHistory)
            report(
              `meters.${i}`,
              'Send last_billed_to_date, the first day that has not been billed on the meter.',
            );
        }
      },
    },
  }),
  customRule({
    code: 'no_last_billed_to_date_on_exchanged_meter',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>'],
    completeness: true,
    reason: 'Only the removed meter itself can say up to which day it was billed.',
    checks: {
      meterPoint(point, _facts, report) {
        for (const [i, meter] of metersOf(point).entries()) {
          if (isExchanged(meter) && isOwnDateMissing(meter, point.supply_type))
            report(`meters.${i}`, 'The meter was removed: send its own last_billed_to_date.');
        }
      },
    },
  }),
  customRule({
    code: 'last_billed_to_date_on_new_meter',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>'],
    cost: 'sorting',
    reason: 'A replacement meter is billed from the day on which the old meter was removed.',
    checks: {
      meterPoint(point, _facts, report) {
        const meters = metersOf(point);
        if (meters.length < 2) return;
        const replacements = new Set(findReplacements(meters));
        for (const [i, meter] of meters.entries()) {
          if (replacements.has(meter) && hasOwnDate(meter))
            report(`meters.${i}`, 'The meter replaced another: leave its own last_billed_to_date out.');
        }
      },
    },
  }),
  customRule({
    code: 'meter_with_duplicate_register_ids',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.registers.<l>.register_id'],
    reason: 'Readings refer to registers by identifier.',
    checks: {
      electricityMeter({ registers }, _facts, report) {
        for (const { index, first } of findRepeats(registers, (one) => one.register_id))
          report(
            `registers.${index}.register_id`,
            `Repeats registers.${first} of the meter, which is ${quote(registers?.[index]?.register_id ?? '')} as well.`,
          );
      },
    },
  }),
  customRule({
    code: 'multiple_non_dmex_meters_with_serial_number',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.meter_serial_number'],
    cost: 'sorting',
    tier: 'gbr',
    reason: 'A meter may only return in a dummy exchange: removed on one day and fitted again on the next.',
    checks: {
      meterPoint(point, _facts, report) {
        const meters = metersOf(point);
        if (meters.length < 2) return;
        const placed = meters.map((meter, index) => ({ meter, index }));
        for (const [serial, same] of groupBy(placed, ({ meter }) => meter.meter_serial_number)) {
          if (same.length < 2) continue;
          same.sort((a, b) => ((a.meter.installed_on ?? '') < (b.meter.installed_on ?? '') ? -1 : 1));
          for (const [i, { meter, index }] of same.entries()) {
            const removed = same[i - 1]?.meter.removed_on;
            if (i > 0 && (!removed || meter.installed_on !== dayAfter(removed)))
              report(
                `meters.${index}.meter_serial_number`,
                `The meter ${quote(serial)} is already there and was not removed the day before.`,
              );
          }
        }
      },
    },
  }),
  customRule({
    code: 'import_meter_not_found_for_export_meter',
    at: ['supply_addresses.<i>.meter_points.<j>.export_type'],
    tier: 'gbr',
    reason: 'A meter that counts import and export needs one meter point for each.',
    checks: {
      account(_account, facts, report) {
        for (const { point, path } of facts.meterPoints) {
          if (point.supply_type !== 'ELECTRICITY' || point.export_type !== 'IMPORT_EXPORT') continue;
          const isPaired = (point.meters ?? []).every(({ meter_serial_number: serial }) => {
            const points = facts.electricityPointsBySerial.get(serial) ?? [];
            return (
              points.length === 2 && points.filter((one) => one.export_type === 'IMPORT_EXPORT').length === 1
            );
          });
          if (!isPaired)
            report(
              `${path}.export_type`,
              'Exactly one import meter point must have a meter with the same serial number.',
            );
        }
      },
    },
  }),
  customRule({
    code: 'unexpected_number_of_meter_points_found_for_meter',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.meter_serial_number'],
    tier: 'gbr',
    needs: ['reference data: twin_element_meters'],
    reason: 'Only a twin element meter can serve more than one import and one export meter point.',
    checks: {
      account(_account, facts, report) {
        if (!facts.references.isConfigured('twin_element_meters')) return;
        for (const { point, path } of facts.meterPoints) {
          if (point.supply_type !== 'ELECTRICITY' || point.export_type !== 'IMPORT_EXPORT') continue;
          for (const [i, { meter_serial_number: serial }] of (point.meters ?? []).entries()) {
            const points = facts.electricityPointsBySerial.get(serial) ?? [];
            if (points.length > 2 && facts.references.has('twin_element_meters', serial) === false)
              report(
                `${path}.meters.${i}.meter_serial_number`,
                `The meter is on ${points.length} meter points but is not a twin element meter.`,
              );
          }
        }
      },
    },
  }),
  rule({
    code: 'smart_details_provided_for_non_smart_meter',
    on: 'meter',
    field: 'smart_device_id',
    tier: 'gbr',
    reason: 'Smart details are only for smart meters.',
    breach: (meter) => {
      const isSmart = isGiven(meter.smart_type) && meter.smart_type !== 'NONE';
      return (
        !isSmart &&
        (isGiven(meter.smart_device_id) || isGiven(meter.smart_commissioned_on)) &&
        'The meter is not smart: send its smart_type or leave this out.'
      );
    },
  }),
  fieldRule({
    code: 'invalid_smart_device_id',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.smart_device_id'],
    tier: 'gbr',
    reason: 'A smart device is addressed by eight octets.',
  }),
  rule({
    code: 'future_smart_meter_commission_date',
    on: 'meter',
    field: 'smart_commissioned_on',
    tier: 'gbr',
    needs: ['clock'],
    reason: 'A smart meter cannot have been commissioned in the future.',
    breach: ({ smart_commissioned_on: day }, { today }) =>
      isGiven(day) && day > today && `${day} is after today.`,
  }),
  rule({
    code: 'prepay_details_on_non_prepay_meter',
    on: 'meter',
    field: 'prepay_details',
    tier: 'gbr',
    reason: 'Only a prepayment meter has a credit or debt balance.',
    breach: (meter) => {
      const hasDetails = meter.prepay_details || isGiven(meter.prepay_customer_reference_number);
      return (
        meter.is_prepay !== true &&
        hasDetails &&
        'The meter is not for prepayment: leave its prepayment details out.'
      );
    },
  }),
  customRule({
    code: 'prepay_details_on_fully_billed_meter',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.prepay_details'],
    tier: 'gbr',
    reason: 'A fully billed meter has no balance to migrate.',
    checks: {
      meterPoint(point, { account }, report) {
        if (!isGiven(point.supply_end_date)) return;
        for (const [i, meter] of metersOf(point).entries()) {
          if (meter.prepay_details && isFullyBilled(meter, point, account))
            report(
              `meters.${i}.prepay_details`,
              'Supply has ended and is fully billed: leave the details out.',
            );
        }
      },
    },
  }),
  customRule({
    code: 'transfer_vend_read_date_must_match_last_billed_to_date',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.prepay_details.transfer_vend_read_date'],
    tier: 'gbr',
    reason: "The meter's balance must be the one at the end of the last billed day.",
    checks: {
      meterPoint(point, { account }, report) {
        for (const [i, meter] of metersOf(point).entries()) {
          const { transfer_vend_read_date: read } = meter.prepay_details ?? {};
          if (read === undefined) continue;
          const other = billedToDatesOf(meter, point, account).find(
            (day) => isGiven(day) && day !== dayAfter(read),
          );
          if (isGiven(other))
            report(
              `meters.${i}.prepay_details.transfer_vend_read_date`,
              `Billing continues from ${other}, which is not the day after ${read}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'electricity_prepay_meter_without_customer_reference_number',
    on: 'electricityMeter',
    field: 'prepay_customer_reference_number',
    tier: 'gbr',
    completeness: true,
    needs: ['supplier: send_registration_flows'],
    reason: 'Top-ups need this number unless the market supplies it with the switch.',
    breach: (meter, { supplier }) => {
      if (supplier.send_registration_flows || !isActive(meter) || meter.is_prepay !== true) return undefined;
      return (
        !isGiven(meter.prepay_customer_reference_number) &&
        'Send the customer reference of the active prepayment meter.'
      );
    },
  }),
  rule({
    code: 'invalid_prepay_customer_reference_number',
    on: 'electricityMeter',
    field: 'prepay_customer_reference_number',
    tier: 'gbr',
    reason: 'Customers enter the number digit by digit when they top up.',
    breach: (meter) => {
      const { prepay_customer_reference_number: number } = meter;
      return (
        meter.is_prepay === true &&
        isGiven(number) &&
        !/^[0-9]+$/.test(number.replace(/\s+/g, '')) &&
        `Enter digits only. Found ${quote(number)}.`
      );
    },
  }),
];

/** A meter of either fuel, with the fields of its last-billed-to dates. */
type EitherMeter = AnyMeter &
  BilledMeter &
  Pick<ElectricityMeter | GasMeter, 'meter_serial_number' | 'prepay_details'>;

function metersOf(point: { readonly meters?: readonly EitherMeter[] }): readonly EitherMeter[] {
  return point.meters ?? [];
}

function isOwnDateMissing(meter: BilledMeter, supplyType: string): boolean {
  if (supplyType === 'GAS') return meter.last_billed_to_date === undefined;
  return meter.registers?.some((one) => isSettlement(one) && one.last_billed_to_date === undefined) === true;
}

function hasOwnDate(meter: BilledMeter): boolean {
  return (
    meter.last_billed_to_date !== undefined ||
    meter.registers?.some((one) => one.last_billed_to_date !== undefined) === true
  );
}

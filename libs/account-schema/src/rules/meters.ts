import type { AnyMeter, ElectricityMeter, GasMeter } from '../contract/meters';
import type { ElectricityMeterPoint, MeterPoint } from '../contract/meter-points';
import { customRule, each, eachRepeat, fieldRule, rule, type Rule } from './engine/rule';
import { dayAfter } from './terms/calendar';
import { isGiven } from './terms/is-given';
import { groupBy } from './terms/group-by';
import { type BilledMeter, billedToDatesOf, isFullyBilled } from './terms/last-billed-to-date';
import { quote } from './terms/quote';
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
    at: { meter: ['meter_serial_number'] },
    tier: 'gbr',
    reason:
      'Serial numbers consist of letters and digits, with single spaces between them: at most 10 characters for electricity and 14 for gas.',
  }),
  rule({
    code: 'last_billed_to_date_not_found',
    on: 'meterPoint',
    field: 'meters.<i>',
    completeness: true,
    reason: 'An account with billing history must say up to which day each active meter was billed.',
    breach: (point, facts) =>
      !isHalfHourly(point) &&
      each(
        metersOf(point),
        (meter) =>
          isActive(meter) &&
          (point.supply_type === 'GAS' || meter.registers?.some(isSettlement)) &&
          billedToDatesOf(meter, point, facts.account).includes(undefined) &&
          // Checked last: few meters have no date, and this reads the whole account.
          facts.hasStatementHistory &&
          'Send last_billed_to_date, the first day that has not been billed on the meter.',
      ),
  }),
  rule({
    code: 'no_last_billed_to_date_on_exchanged_meter',
    on: 'meterPoint',
    field: 'meters.<i>',
    completeness: true,
    reason: 'Only the removed meter itself can say up to which day it was billed.',
    breach: (point) =>
      each(
        metersOf(point),
        (meter) =>
          isExchanged(meter) &&
          isOwnDateMissing(meter, point.supply_type) &&
          'The meter was removed: send its own last_billed_to_date.',
      ),
  }),
  rule({
    code: 'last_billed_to_date_on_new_meter',
    on: 'meterPoint',
    field: 'meters.<i>',
    cost: 'sorting',
    reason: 'A replacement meter is billed from the day on which the old meter was removed.',
    breach: (point) => {
      const meters = metersOf(point);
      if (meters.length < 2) return undefined;
      const replacements = new Set(findReplacements(meters));
      return each(
        meters,
        (meter) =>
          replacements.has(meter) &&
          hasOwnDate(meter) &&
          'The meter replaced another: leave its own last_billed_to_date out.',
      );
    },
  }),
  rule({
    code: 'meter_with_duplicate_register_ids',
    on: 'electricityMeter',
    field: 'registers.<i>.register_id',
    reason: 'Readings refer to registers by identifier.',
    breach: ({ registers }) =>
      eachRepeat(
        registers,
        (one) => one.register_id,
        (first, { register_id: id }) =>
          `Repeats registers.${first} of the meter, which is ${quote(id)} as well.`,
      ),
  }),
  customRule({
    code: 'multiple_non_dmex_meters_with_serial_number',
    at: { meterPoint: ['meters.<i>.meter_serial_number'] },
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
  rule({
    code: 'import_meter_not_found_for_export_meter',
    on: 'account',
    field: 'supply_addresses.<i>.meter_points.<i>.export_type',
    tier: 'gbr',
    reason: 'A meter that counts import and export needs one meter point for each.',
    breach: ({ supply_addresses: addresses }, facts) =>
      each(addresses, ({ meter_points: points }) =>
        each(points, (point) => {
          if (!isImportExport(point)) return undefined;
          const isPaired = (point.meters ?? []).every(({ meter_serial_number: serial }) => {
            const sharing = facts.electricityPointsBySerial.get(serial) ?? [];
            return sharing.length === 2 && sharing.filter(isImportExport).length === 1;
          });
          return !isPaired && 'Exactly one import meter point must have a meter with the same serial number.';
        }),
      ),
  }),
  rule({
    code: 'unexpected_number_of_meter_points_found_for_meter',
    on: 'account',
    field: 'supply_addresses.<i>.meter_points.<i>.meters.<i>.meter_serial_number',
    tier: 'gbr',
    needs: ['reference data: twin_element_meters'],
    reason: 'Only a twin element meter can serve more than one import and one export meter point.',
    breach: ({ supply_addresses: addresses }, facts) =>
      each(addresses, ({ meter_points: points }) =>
        each(points, (point) => {
          if (!isImportExport(point)) return undefined;
          return each(point.meters, ({ meter_serial_number: serial }) => {
            const { length } = facts.electricityPointsBySerial.get(serial) ?? [];
            return (
              length > 2 &&
              facts.references.has('twin_element_meters', serial) === false &&
              `The meter is on ${length} meter points but is not a twin element meter.`
            );
          });
        }),
      ),
  }),
  rule({
    code: 'smart_details_provided_for_non_smart_meter',
    on: 'meter',
    field: 'smart_device_id',
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
    at: { meter: ['smart_device_id'] },
    tier: 'gbr',
    reason: 'A smart device is addressed by eight octets.',
  }),
  rule({
    code: 'future_smart_meter_commission_date',
    on: 'meter',
    field: 'smart_commissioned_on',
    needs: ['clock'],
    reason: 'A smart meter cannot have been commissioned in the future.',
    breach: ({ smart_commissioned_on: day }, { today }) =>
      isGiven(day) && day > today && `${day} is after today.`,
  }),
  rule({
    code: 'prepay_details_on_non_prepay_meter',
    on: 'meter',
    field: 'prepay_details',
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
  rule({
    code: 'prepay_details_on_fully_billed_meter',
    on: 'meterPoint',
    field: 'meters.<i>.prepay_details',
    reason: 'A fully billed meter has no balance to migrate.',
    breach: (point, { account }) =>
      each(
        metersOf(point),
        (meter) =>
          meter.prepay_details &&
          isFullyBilled(meter, point, account) &&
          'Supply has ended and is fully billed: leave the details out.',
      ),
  }),
  rule({
    code: 'transfer_vend_read_date_must_match_last_billed_to_date',
    on: 'meterPoint',
    field: 'meters.<i>.prepay_details.transfer_vend_read_date',
    reason: "The meter's balance must be the one at the end of the last billed day.",
    breach: (point, { account }) =>
      each(metersOf(point), (meter) => {
        const { transfer_vend_read_date: read } = meter.prepay_details ?? {};
        if (read === undefined) return undefined;
        const other = billedToDatesOf(meter, point, account).find(
          (day) => isGiven(day) && day !== dayAfter(read),
        );
        return isGiven(other) && `Billing continues from ${other}, which is not the day after ${read}.`;
      }),
  }),
  rule({
    code: 'electricity_prepay_meter_without_customer_reference_number',
    on: 'electricityMeter',
    field: 'prepay_customer_reference_number',
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

/** True if the meter point is for both, import and export. */
function isImportExport(point: MeterPoint): point is ElectricityMeterPoint {
  return point.supply_type === 'ELECTRICITY' && point.export_type === 'IMPORT_EXPORT';
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

import { type ElectricityMeter } from '../supply/electricity-meter';
import { type GasMeter } from '../supply/gas-meter';
import { type AnyMeter } from '../supply/meter';
import { fieldRule, rule, type Rule } from './engine/rule';
import { dayAfter } from './terms/calendar';
import { given } from './terms/given';
import { grouped } from './terms/grouped';
import { type BilledMeter, billedToDatesOf, isFullyBilled } from './terms/last-billed-to-date';
import { quote } from './terms/quote';
import { repeats } from './terms/repeats';
import { isActive, isExchanged, isHalfHourly, isSettlement, replacementsAmong } from './terms/supply';

/** Meters: which are in use, which were exchanged, and how far each is billed. */
export const METER_RULES: readonly Rule[] = [
  fieldRule({
    code: 'blank',
    path: '… .meters.<k>.meter_serial_number, and every text that must not be blank',
    why: 'A required text that says nothing is as good as none.',
  }),
  fieldRule({
    code: 'invalid_meter_serial_number',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.meter_serial_number',
    tier: 'gbr',
    why: 'Serial numbers of the market are letters and digits, and short.',
  }),
  rule({
    code: 'last_billed_to_date_not_found',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>',
    completeness: true,
    why: 'An account with a history was billed up to some day, on each meter in use.',
    checks: {
      meterPoint(point, { account, hasStatementHistory }, report) {
        if (isHalfHourly(point)) return;
        for (const [i, meter] of metersOf(point).entries()) {
          if (
            !isActive(meter) ||
            (point.supply_type === 'ELECTRICITY' && !meter.registers?.some(isSettlement))
          )
            continue;
          // Looked up last: few meters lack the date, and whether there is a history takes a look around.
          if (billedToDatesOf(meter, point, account).includes(undefined) && hasStatementHistory)
            report(`meters.${i}`, 'Say from which day on the meter is still to be billed.');
        }
      },
    },
  }),
  rule({
    code: 'no_last_billed_to_date_on_exchanged_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>',
    completeness: true,
    why: 'Up to which day a meter was billed that is gone, no other meter can say.',
    checks: {
      meterPoint(point, _facts, report) {
        for (const [i, meter] of metersOf(point).entries()) {
          if (isExchanged(meter) && lacksOwnDate(meter, point.supply_type))
            report(`meters.${i}`, 'The meter was exchanged: give it a last_billed_to_date of its own.');
        }
      },
    },
  }),
  rule({
    code: 'last_billed_to_date_on_new_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>',
    why: 'A meter that replaced another goes on where that one ended.',
    checks: {
      meterPoint(point, _facts, report) {
        const meters = metersOf(point);
        if (meters.length < 2) return;
        const replacements = new Set(replacementsAmong(meters));
        for (const [i, meter] of meters.entries()) {
          if (replacements.has(meter) && hasOwnDate(meter))
            report(`meters.${i}`, 'The meter replaced another: leave its own last_billed_to_date out.');
        }
      },
    },
  }),
  rule({
    code: 'meter_with_duplicate_register_ids',
    path: '… .meters.<k>.registers.<l>.register_id',
    why: 'A reading is of one register.',
    checks: {
      electricityMeter({ registers }, _facts, report) {
        for (const i of repeats(registers, (one) => one.register_id))
          report(
            `registers.${i}.register_id`,
            `The meter has another register ${quote(registers?.[i]?.register_id ?? '')}.`,
          );
      },
    },
  }),
  rule({
    code: 'multiple_non_dmex_meters_with_serial_number',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.meter_serial_number',
    tier: 'gbr',
    why: 'A meter comes back to its meter point only as a dummy exchange: out one day, in the next.',
    checks: {
      meterPoint(point, _facts, report) {
        const meters = metersOf(point);
        if (meters.length < 2) return;
        const placed = meters.map((meter, place) => ({ meter, place }));
        for (const [serial, same] of grouped(placed, ({ meter }) => meter.meter_serial_number)) {
          if (same.length < 2) continue;
          same.sort((a, b) => ((a.meter.installed_on ?? '') < (b.meter.installed_on ?? '') ? -1 : 1));
          for (const [i, { meter, place }] of same.entries()) {
            const removed = same[i - 1]?.meter.removed_on;
            if (i > 0 && (!removed || meter.installed_on !== dayAfter(removed)))
              report(
                `meters.${place}.meter_serial_number`,
                `The meter ${quote(serial)} is there already, and was not taken out the day before.`,
              );
          }
        }
      },
    },
  }),
  rule({
    code: 'import_meter_not_found_for_export_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.export_type',
    tier: 'gbr',
    why: 'A meter that counts both ways is on one meter point for each way.',
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
              'Exactly one import meter point must have a meter of the same number.',
            );
        }
      },
    },
  }),
  rule({
    code: 'unexpected_number_of_meter_points_found_for_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.meter_serial_number',
    tier: 'gbr',
    needs: ['reference data: twin_element_meters'],
    why: 'Only a twin element meter serves more than an import and an export meter point.',
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
                `The meter is on ${points.length} meter points, and is not a twin element meter.`,
              );
          }
        }
      },
    },
  }),
  rule({
    code: 'smart_details_provided_for_non_smart_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.smart_device_id',
    tier: 'gbr',
    why: 'A meter is smart or it is not.',
    checks: {
      meter(meter, _facts, report) {
        const isSmart = given(meter.smart_type) && meter.smart_type !== 'NONE';
        if (!isSmart && (given(meter.smart_device_id) || given(meter.smart_commissioned_on)))
          report('smart_device_id', 'The meter is not smart: say which generation it is, or leave this out.');
      },
    },
  }),
  fieldRule({
    code: 'invalid_smart_device_id',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.smart_device_id',
    tier: 'gbr',
    why: 'A device is addressed by eight octets.',
  }),
  rule({
    code: 'future_smart_meter_commission_date',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.smart_commissioned_on',
    tier: 'gbr',
    needs: ['clock'],
    why: 'A meter that went into service did not do so tomorrow.',
    checks: {
      meter({ smart_commissioned_on: day }, { today }, report) {
        if (given(day) && day > today) report('smart_commissioned_on', `${day} is after today.`);
      },
    },
  }),
  rule({
    code: 'prepay_details_on_non_prepay_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.prepay_details',
    tier: 'gbr',
    why: 'Credit on a meter that takes none would be lost.',
    checks: {
      meter(meter, _facts, report) {
        const hasDetails = meter.prepay_details || given(meter.prepay_customer_reference_number);
        if (meter.is_prepay !== true && hasDetails)
          report('prepay_details', 'The meter is not for prepayment: leave its prepayment details out.');
      },
    },
  }),
  rule({
    code: 'prepay_details_on_fully_billed_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.prepay_details',
    tier: 'gbr',
    why: 'A meter that is billed to the end has no balance to move.',
    checks: {
      meterPoint(point, { account }, report) {
        if (!given(point.supply_end_date)) return;
        for (const [i, meter] of metersOf(point).entries()) {
          if (meter.prepay_details && isFullyBilled(meter, point, account))
            report(`meters.${i}.prepay_details`, 'Supply has ended and is billed: leave the details out.');
        }
      },
    },
  }),
  rule({
    code: 'transfer_vend_read_date_must_match_last_billed_to_date',
    path: '… .meters.<k>.prepay_details.transfer_vend_read_date',
    tier: 'gbr',
    why: 'What stands on the meter is what stood there when the last billed day ended.',
    checks: {
      meterPoint(point, { account }, report) {
        for (const [i, meter] of metersOf(point).entries()) {
          const { transfer_vend_read_date: read } = meter.prepay_details ?? {};
          if (read === undefined) continue;
          const other = billedToDatesOf(meter, point, account).find(
            (day) => given(day) && day !== dayAfter(read),
          );
          if (given(other))
            report(
              `meters.${i}.prepay_details.transfer_vend_read_date`,
              `Billing goes on from ${other}, which is not the day after ${read}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'electricity_prepay_meter_without_customer_reference_number',
    path: '… .meters.<k>.prepay_customer_reference_number',
    tier: 'gbr',
    completeness: true,
    needs: ['supplier: send_registration_flows'],
    why: 'Top-ups find their meter by this number, unless the market brings it with the switch.',
    checks: {
      electricityMeter(meter, { supplier }, report) {
        if (supplier.send_registration_flows || !isActive(meter) || meter.is_prepay !== true) return;
        if (!given(meter.prepay_customer_reference_number))
          report(
            'prepay_customer_reference_number',
            'A prepayment meter in use needs its customer reference.',
          );
      },
    },
  }),
  rule({
    code: 'invalid_prepay_customer_reference_number',
    path: '… .meters.<k>.prepay_customer_reference_number',
    tier: 'gbr',
    why: 'The reference is typed in at a shop, digit by digit.',
    checks: {
      electricityMeter(meter, _facts, report) {
        const { prepay_customer_reference_number: number } = meter;
        if (meter.is_prepay === true && given(number) && !/^[0-9]+$/.test(number.replace(/\s+/g, '')))
          report('prepay_customer_reference_number', `Enter digits only. Found ${quote(number)}.`);
      },
    },
  }),
];

/** Meters of either fuel, with the parts that say how far each is billed. */
type EitherMeter = AnyMeter &
  BilledMeter &
  Pick<ElectricityMeter | GasMeter, 'meter_serial_number' | 'prepay_details'>;

function metersOf(point: { readonly meters?: readonly EitherMeter[] }): readonly EitherMeter[] {
  return point.meters ?? [];
}

function lacksOwnDate(meter: BilledMeter, supplyType: string): boolean {
  if (supplyType === 'GAS') return meter.last_billed_to_date === undefined;
  return meter.registers?.some((one) => isSettlement(one) && one.last_billed_to_date === undefined) === true;
}

function hasOwnDate(meter: BilledMeter): boolean {
  return (
    meter.last_billed_to_date !== undefined ||
    meter.registers?.some((one) => one.last_billed_to_date !== undefined) === true
  );
}

import { type Account } from '../account/account';
import { type MeterPoint } from '../supply/meter-point-union';
import { type AnyMeter } from '../supply/meter';
import { type Reading } from '../supply/reading';
import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import {
  type BilledMeter,
  billedToOfGasMeter,
  billedToOfRegister,
  isFullyBilled,
} from './terms/last-billed-to-date';
import { quote } from './terms/quote';
import { isActive, isBillable, isExchanged, isHalfHourly, isSettlement } from './terms/supply';

/** Readings: those that billing goes on from, and those of the past. */
export const READING_RULES: readonly Rule[] = [
  rule({
    code: 'reading_without_register_id',
    path: '… .meters.<k>.transfer_readings.<l>.register_id',
    why: 'A reading of an electricity meter is of one of its registers.',
    checks: {
      electricityMeter({ transfer_readings: readings }, _facts, report) {
        for (const [i, { register_id: id }] of (readings ?? []).entries()) {
          if (!given(id)) report(`transfer_readings.${i}.register_id`, 'Say which register was read.');
        }
      },
    },
  }),
  rule({
    code: 'reading_register_id_not_recognised',
    path: '… .meters.<k>.transfer_readings.<l>.register_id',
    why: 'A reading of a register that is not there is a reading of another meter.',
    checks: {
      electricityMeter(meter, _facts, report) {
        const known = new Set(meter.registers?.map((one) => one.register_id));
        for (const [i, { register_id: id }] of (meter.transfer_readings ?? []).entries()) {
          if (given(id) && !known.has(id))
            report(`transfer_readings.${i}.register_id`, `The meter has no register ${quote(id)}.`);
        }
      },
    },
  }),
  rule({
    code: 'no_register_id_for_reading',
    path: '… .meters.<k>.reading_history.<l>.register_id',
    why: 'A reading of an electricity meter is of one of its registers.',
    checks: {
      electricityMeter({ reading_history: readings }, _facts, report) {
        for (const [i, { register_id: id }] of (readings ?? []).entries()) {
          if (!given(id)) report(`reading_history.${i}.register_id`, 'Say which register was read.');
        }
      },
    },
  }),
  rule({
    code: 'historical_reading_register_id_not_recognised',
    path: '… .meters.<k>.reading_history.<l>.register_id',
    why: 'A reading of a register that is not there is a reading of another meter.',
    checks: {
      electricityMeter(meter, _facts, report) {
        if (!meter.reading_history) return;
        const known = new Set(meter.registers?.map((one) => one.register_id));
        for (const [i, { register_id: id }] of meter.reading_history.entries()) {
          if (given(id) && !known.has(id))
            report(`reading_history.${i}.register_id`, `The meter has no register ${quote(id)}.`);
        }
      },
    },
  }),
  rule({
    code: 'transfer_reading_dates_must_match_last_billed_to_date',
    path: '… .meters.<k>.transfer_readings.<l>.reading_date',
    why: 'Billing goes on from the reading of the first day that is not billed.',
    checks: {
      meterPoint(point, { account }, report) {
        for (const [i, meter] of metersOf(point).entries()) {
          const billedTo = billedToBy(meter, point, account);
          for (const [k, reading] of (meter.transfer_readings ?? []).entries()) {
            const day = billedTo(reading);
            if (day !== undefined && reading.reading_date !== day)
              report(
                `meters.${i}.transfer_readings.${k}.reading_date`,
                `Billing goes on from ${day}, so the reading must be of that day, not of ${reading.reading_date}.`,
              );
          }
        }
      },
    },
  }),
  rule({
    code: 'billed_reading_after_last_billed_to_date',
    path: '… .meters.<k>.reading_history.<l>.reading_date',
    why: 'What lies after the last billed day has not been billed.',
    checks: {
      meterPoint(point, { account }, report) {
        for (const [i, meter] of metersOf(point).entries()) {
          const billedTo = billedToBy(meter, point, account);
          for (const [k, reading] of (meter.reading_history ?? []).entries()) {
            if (!reading.billed) continue;
            const day = billedTo(reading);
            if (day !== undefined && reading.reading_date > day)
              report(
                `meters.${i}.reading_history.${k}.reading_date`,
                `Billing goes on from ${day}, so a reading of ${reading.reading_date} cannot have been billed.`,
              );
          }
        }
      },
    },
  }),
  rule({
    code: 'active_gas_meter_without_transfer_reading',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings',
    completeness: true,
    needs: ['clock'],
    why: 'Billing goes on from a reading.',
    checks: {
      gasMeterPoint(point, { today }, report) {
        if (!isBillable(point, today)) return;
        for (const [i, meter] of (point.meters ?? []).entries()) {
          if (isActive(meter) && !given(meter.transfer_readings))
            report(`meters.${i}.transfer_readings`, 'Send the reading that billing goes on from.');
        }
      },
    },
  }),
  rule({
    code: 'active_gas_meter_with_multiple_transfer_readings',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings',
    why: 'Billing goes on from one reading.',
    checks: {
      gasMeter(meter, _facts, report) {
        const readings = meter.transfer_readings?.length ?? 0;
        if (isActive(meter) && readings > 1)
          report('transfer_readings', `Billing goes on from one reading, not from ${readings}.`);
      },
    },
  }),
  rule({
    code: 'missing_transfer_reading_for_register',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings',
    completeness: true,
    needs: ['clock'],
    why: 'Billing of each register goes on from a reading.',
    checks: {
      electricityMeterPoint(point, { today }, report) {
        if (!isBillable(point, today) || isHalfHourly(point)) return;
        for (const [i, meter] of (point.meters ?? []).entries()) {
          if (!isActive(meter)) continue;
          const read = new Set(meter.transfer_readings?.map((one) => one.register_id));
          const unread = meter.registers?.find((one) => isSettlement(one) && !read.has(one.register_id));
          if (unread)
            report(
              `meters.${i}.transfer_readings`,
              `Send the reading of the register ${quote(unread.register_id)} that billing goes on from.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'multiple_transfer_readings_for_register',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings',
    why: 'Billing of a register goes on from one reading.',
    checks: {
      electricityMeter(meter, _facts, report) {
        if (!isActive(meter)) return;
        const own = new Set(meter.registers?.map((one) => one.register_id));
        const read = new Set<string>();
        for (const { register_id: id } of meter.transfer_readings ?? []) {
          if (!given(id) || !own.has(id)) continue;
          if (read.has(id)) {
            report('transfer_readings', `The register ${quote(id)} has more than one reading.`);
            return;
          }
          read.add(id);
        }
      },
    },
  }),
  rule({
    code: 'reading_meter_fully_billed',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings',
    why: 'Where all is billed, billing goes on from nowhere.',
    checks: {
      meterPoint(point, { account }, report) {
        if (!given(point.supply_end_date)) return;
        for (const [i, meter] of metersOf(point).entries()) {
          if (given(meter.transfer_readings) && isFullyBilled(meter, point, account))
            report(
              `meters.${i}.transfer_readings`,
              'Supply has ended and is billed: leave the readings out.',
            );
        }
      },
    },
  }),
  rule({
    code: 'no_transfer_reading_on_exchanged_meter',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings',
    completeness: true,
    why: 'What a meter counted before it was taken out may still be to be billed.',
    checks: {
      meter(meter, _facts, report) {
        if (isExchanged(meter) && !given(meter.transfer_readings))
          report('transfer_readings', 'The meter was exchanged: send the reading that billing goes on from.');
      },
    },
  }),
  rule({
    code: 'no_reading_on_removed_on',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>',
    completeness: true,
    why: 'What a meter counted to the end is read when it is taken out.',
    checks: {
      meter(meter, _facts, report) {
        const { removed_on: removed } = meter;
        if (given(removed) && !hasReadingOn(removed, meter))
          report('', `The meter was taken out on ${removed}: send its reading of that day.`);
      },
    },
  }),
  rule({
    code: 'no_reading_on_supply_end_date',
    path: 'supply_addresses.<i>.meter_points.<j>.meters.<k>',
    tier: 'gbr',
    completeness: true,
    needs: ['clock'],
    why: 'The last bill ends with the reading of the last day.',
    checks: {
      meterPoint(point, { today }, report) {
        const { supply_end_date: end } = point;
        if (!end || end > today) return;
        for (const [i, meter] of metersOf(point).entries()) {
          const wasThere = !meter.removed_on || meter.removed_on >= end;
          if (wasThere && !hasReadingOn(end, meter))
            report(`meters.${i}`, `Supply ended on ${end}: send the reading of that day.`);
        }
      },
    },
  }),
];

type EitherMeter = AnyMeter & BilledMeter;

function metersOf(point: { readonly meters?: readonly EitherMeter[] }): readonly EitherMeter[] {
  return point.meters ?? [];
}

/** The effective LBTD of what a reading is of: a register of an electricity meter, or a gas meter. */
function billedToBy(
  meter: BilledMeter,
  point: MeterPoint,
  account: Account,
): (reading: Reading) => string | undefined {
  if (point.supply_type === 'GAS') {
    const day = billedToOfGasMeter(meter, point, account);
    return () => day;
  }
  const registers = new Map(meter.registers?.map((one) => [one.register_id, one]));
  return ({ register_id: id }) => billedToOfRegister(registers.get(id ?? ''), point, account);
}

function hasReadingOn(day: string, meter: AnyMeter): boolean {
  const isOfThatDay = (reading: Reading) => reading.reading_date === day;
  return (
    meter.transfer_readings?.some(isOfThatDay) === true || meter.reading_history?.some(isOfThatDay) === true
  );
}

import type { Account } from '../contract/account';
import type { MeterPoint } from '../contract/meter-points';
import type { AnyMeter, Reading } from '../contract/meters';
import { type Rule, memberRule, customRule, rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import {
  type BilledMeter,
  billedToOfGasMeter,
  billedToOfRegister,
  isFullyBilled,
} from './terms/last-billed-to-date';
import { quote } from './terms/quote';
import {
  findReplacements,
  isActive,
  isBillable,
  isExchanged,
  isHalfHourly,
  isSettlement,
} from './terms/supply';

/** Rules about transfer readings, from which billing continues, and historical readings. */
export const READING_RULES: readonly Rule[] = [
  memberRule({
    code: 'reading_without_register_id',
    on: 'electricityMeter',
    each: 'transfer_readings',
    field: 'register_id',
    reason: 'A reading of an electricity meter belongs to one of its registers.',
    breach: ({ register_id: id }) => !isGiven(id) && 'Send the identifier of the register that was read.',
  }),
  customRule({
    code: 'reading_register_id_not_recognised',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings.<l>.register_id'],
    reason: 'A reading must belong to a register of its meter.',
    checks: {
      electricityMeter(meter, _facts, report) {
        const known = new Set(meter.registers?.map((one) => one.register_id));
        for (const [i, { register_id: id }] of (meter.transfer_readings ?? []).entries()) {
          if (isGiven(id) && !known.has(id))
            report(`transfer_readings.${i}.register_id`, `The meter has no register ${quote(id)}.`);
        }
      },
    },
  }),
  memberRule({
    code: 'no_register_id_for_reading',
    on: 'electricityMeter',
    each: 'reading_history',
    field: 'register_id',
    reason: 'A reading of an electricity meter belongs to one of its registers.',
    breach: ({ register_id: id }) => !isGiven(id) && 'Send the identifier of the register that was read.',
  }),
  customRule({
    code: 'historical_reading_register_id_not_recognised',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.reading_history.<l>.register_id'],
    reason: 'A reading must belong to a register of its meter.',
    checks: {
      electricityMeter(meter, _facts, report) {
        if (!meter.reading_history) return;
        const known = new Set(meter.registers?.map((one) => one.register_id));
        for (const [i, { register_id: id }] of meter.reading_history.entries()) {
          if (isGiven(id) && !known.has(id))
            report(`reading_history.${i}.register_id`, `The meter has no register ${quote(id)}.`);
        }
      },
    },
  }),
  customRule({
    code: 'transfer_reading_dates_must_match_last_billed_to_date',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings.<l>.reading_date'],
    reason: 'Billing continues from the reading of the first unbilled day.',
    checks: {
      meterPoint(point, { account }, report) {
        const billing = new BillingDays(point, account);
        for (const [i, meter] of metersOf(point).entries()) {
          const readings = billing.ofMeter(meter);
          for (const [k, reading] of (meter.transfer_readings ?? []).entries()) {
            const day = readings.dayOf(reading);
            if (day === undefined || reading.reading_date === day) continue;
            const { source, mend } = readings.originOf(reading);
            report(
              `meters.${i}.transfer_readings.${k}.reading_date`,
              `Send the reading of ${day} (${source}), not of ${reading.reading_date}, or ${mend}.`,
            );
          }
        }
      },
    },
  }),
  customRule({
    code: 'billed_reading_after_last_billed_to_date',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.reading_history.<l>.reading_date'],
    reason: 'A reading after the last billed day cannot have been billed.',
    checks: {
      meterPoint(point, { account }, report) {
        const billing = new BillingDays(point, account);
        for (const [i, meter] of metersOf(point).entries()) {
          const readings = billing.ofMeter(meter);
          for (const [k, reading] of (meter.reading_history ?? []).entries()) {
            if (!reading.billed) continue;
            const day = readings.dayOf(reading);
            if (day === undefined || reading.reading_date <= day) continue;
            const { source, mend } = readings.originOf(reading);
            report(
              `meters.${i}.reading_history.${k}.reading_date`,
              `A reading after ${day} (${source}) is not billed: send billed false, or ${mend}.`,
            );
          }
        }
      },
    },
  }),
  memberRule({
    code: 'active_gas_meter_without_transfer_reading',
    on: 'gasMeterPoint',
    each: 'meters',
    field: 'transfer_readings',
    completeness: true,
    needs: ['clock'],
    reason: 'Billing needs a reading to continue from.',
    breach: (meter, { today }, point) => {
      if (!isBillable(point, today)) return undefined;
      return (
        isActive(meter) &&
        !isGiven(meter.transfer_readings) &&
        'Send the reading from which billing continues.'
      );
    },
  }),
  rule({
    code: 'active_gas_meter_with_multiple_transfer_readings',
    on: 'gasMeter',
    field: 'transfer_readings',
    reason: 'Billing continues from exactly one reading.',
    breach: (meter) => {
      const readings = meter.transfer_readings?.length ?? 0;
      return (
        isActive(meter) && readings > 1 && `Billing continues from one reading: send one, not ${readings}.`
      );
    },
  }),
  memberRule({
    code: 'missing_transfer_reading_for_register',
    on: 'electricityMeterPoint',
    each: 'meters',
    field: 'transfer_readings',
    completeness: true,
    needs: ['clock'],
    reason: 'Billing needs a reading of each register to continue from.',
    breach: (meter, { today }, point) => {
      if (!isBillable(point, today) || isHalfHourly(point)) return undefined;

      if (!isActive(meter)) return undefined;
      const read = new Set(meter.transfer_readings?.map((one) => one.register_id));
      const unread = meter.registers?.find((one) => isSettlement(one) && !read.has(one.register_id));
      return (
        unread &&
        `Send the reading of the register ${quote(unread.register_id)} from which billing continues.`
      );
    },
  }),
  customRule({
    code: 'multiple_transfer_readings_for_register',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings'],
    reason: 'Billing of a register continues from exactly one reading.',
    checks: {
      electricityMeter(meter, _facts, report) {
        if (!isActive(meter)) return;
        const own = new Set(meter.registers?.map((one) => one.register_id));
        const read = new Set<string>();
        for (const { register_id: id } of meter.transfer_readings ?? []) {
          if (!isGiven(id) || !own.has(id)) continue;
          if (read.has(id)) {
            report('transfer_readings', `The register ${quote(id)} has more than one reading.`);
            return;
          }
          read.add(id);
        }
      },
    },
  }),
  customRule({
    code: 'reading_meter_fully_billed',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.transfer_readings'],
    reason: 'A fully billed meter needs no reading for billing to continue from.',
    checks: {
      meterPoint(point, { account }, report) {
        if (!isGiven(point.supply_end_date)) return;
        for (const [i, meter] of metersOf(point).entries()) {
          if (isGiven(meter.transfer_readings) && isFullyBilled(meter, point, account))
            report(
              `meters.${i}.transfer_readings`,
              'Supply has ended and is fully billed: leave the readings out.',
            );
        }
      },
    },
  }),
  rule({
    code: 'no_transfer_reading_on_exchanged_meter',
    on: 'meter',
    field: 'transfer_readings',
    completeness: true,
    reason: 'Consumption of a removed meter may still have to be billed.',
    breach: (meter) =>
      isExchanged(meter) &&
      !isGiven(meter.transfer_readings) &&
      'The meter was removed: send the reading from which billing continues.',
  }),
  customRule({
    code: 'no_reading_on_removed_on',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>'],
    completeness: true,
    reason: 'The final reading of a meter is taken on the day of its removal.',
    checks: {
      meter(meter, _facts, report) {
        const { removed_on: removed } = meter;
        if (isGiven(removed) && !hasReadingOn(removed, meter))
          report('', `The meter was removed on ${removed}: send its reading of that day.`);
      },
    },
  }),
  customRule({
    code: 'no_reading_on_supply_end_date',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>'],
    tier: 'gbr',
    completeness: true,
    needs: ['clock'],
    reason: 'The final bill needs the reading of the day on which supply ended.',
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

/** The effective last-billed-to dates of the readings of one meter. */
interface MeterBillingDays {
  /** The day of the reading's register, or of the gas meter. */
  dayOf(reading: Reading): string | undefined;
  /** The field that the day is from, and how to mend it. */
  originOf(reading: Reading): { source: string; mend: string };
}

/** The effective last-billed-to dates of the readings of a meter point. */
class BillingDays {
  private replacements: ReadonlySet<EitherMeter> | undefined;

  constructor(
    private readonly point: MeterPoint,
    private readonly account: Account,
  ) {}

  ofMeter(meter: EitherMeter): MeterBillingDays {
    const { point, account } = this;
    if (point.supply_type === 'GAS') {
      const day = billedToOfGasMeter(meter, point, account);
      return { dayOf: () => day, originOf: () => this.originOf(meter, meter, 'meter') };
    }
    const registers = new Map(meter.registers?.map((one) => [one.register_id, one]));
    return {
      dayOf: ({ register_id: id }) => billedToOfRegister(registers.get(id ?? ''), point, account),
      originOf: ({ register_id: id }) => this.originOf(meter, registers.get(id ?? ''), 'register'),
    };
  }

  private originOf(
    meter: EitherMeter,
    own: Pick<BilledMeter, 'last_billed_to_date'> | undefined,
    part: 'meter' | 'register',
  ): { source: string; mend: string } {
    const field = 'last_billed_to_date of the';
    const correct = 'correct that day';
    if (own?.last_billed_to_date !== undefined) return { source: `${field} ${part}`, mend: correct };
    const isOfPoint = this.point.last_billed_to_date !== undefined;
    // A replacement meter may not have a day of its own.
    this.replacements ??= new Set(findReplacements(metersOf(this.point)));
    const overriding = this.replacements.has(meter) ? (isOfPoint ? undefined : 'meter point') : part;
    return {
      source: `${field} ${isOfPoint ? 'meter point' : 'account'}`,
      mend: overriding === undefined ? correct : `override the day with ${field} ${overriding}`,
    };
  }
}

function hasReadingOn(day: string, meter: AnyMeter): boolean {
  const isOfThatDay = (reading: Reading) => reading.reading_date === day;
  return (
    meter.transfer_readings?.some(isOfThatDay) === true || meter.reading_history?.some(isOfThatDay) === true
  );
}

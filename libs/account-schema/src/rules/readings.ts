import type { Account } from '../contract/account';
import type { MeterPoint } from '../contract/meter-points';
import type { AnyMeter, Reading, Register } from '../contract/meters';
import { each, rule, type Rule } from './engine/rule';
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
  rule({
    code: 'reading_without_register_id',
    on: 'electricityMeter',
    field: 'transfer_readings.<i>.register_id',
    reason: 'A reading of an electricity meter belongs to one of its registers.',
    breach: ({ transfer_readings: readings }) => each(readings, describeMissingRegister),
  }),
  rule({
    code: 'reading_register_id_not_recognised',
    on: 'electricityMeter',
    field: 'transfer_readings.<i>.register_id',
    reason: 'A reading must belong to a register of its meter.',
    breach: ({ transfer_readings: readings, registers }) => findUnknownRegisters(readings, registers),
  }),
  rule({
    code: 'no_register_id_for_reading',
    on: 'electricityMeter',
    field: 'reading_history.<i>.register_id',
    reason: 'A reading of an electricity meter belongs to one of its registers.',
    breach: ({ reading_history: readings }) => each(readings, describeMissingRegister),
  }),
  rule({
    code: 'historical_reading_register_id_not_recognised',
    on: 'electricityMeter',
    field: 'reading_history.<i>.register_id',
    reason: 'A reading must belong to a register of its meter.',
    breach: ({ reading_history: readings, registers }) => findUnknownRegisters(readings, registers),
  }),
  rule({
    code: 'transfer_reading_dates_must_match_last_billed_to_date',
    on: 'meterPoint',
    field: 'meters.<i>.transfer_readings.<i>.reading_date',
    reason: 'Billing continues from the reading of the first unbilled day.',
    breach: (point, { account }) => {
      const billing = new BillingDays(point, account);
      return each(metersOf(point), (meter) => {
        const readings = billing.ofMeter(meter);
        return each(meter.transfer_readings, (reading) => {
          const day = readings.dayOf(reading);
          if (day === undefined || reading.reading_date === day) return undefined;
          const { source, mend } = readings.originOf(reading);
          return `Send the reading of ${day} (${source}), not of ${reading.reading_date}, or ${mend}.`;
        });
      });
    },
  }),
  rule({
    code: 'billed_reading_after_last_billed_to_date',
    on: 'meterPoint',
    field: 'meters.<i>.reading_history.<i>.reading_date',
    reason: 'A reading after the last billed day cannot have been billed.',
    breach: (point, { account }) => {
      const billing = new BillingDays(point, account);
      return each(metersOf(point), (meter) => {
        const readings = billing.ofMeter(meter);
        return each(meter.reading_history, (reading) => {
          const day = reading.billed ? readings.dayOf(reading) : undefined;
          if (day === undefined || reading.reading_date <= day) return undefined;
          const { source, mend } = readings.originOf(reading);
          return `A reading after ${day} (${source}) is not billed: send billed false, or ${mend}.`;
        });
      });
    },
  }),
  rule({
    code: 'active_gas_meter_without_transfer_reading',
    on: 'gasMeterPoint',
    field: 'meters.<i>.transfer_readings',
    completeness: true,
    needs: ['clock'],
    reason: 'Billing needs a reading to continue from.',
    breach: (point, { today }) =>
      isBillable(point, today) &&
      each(
        point.meters,
        (meter) =>
          isActive(meter) &&
          !isGiven(meter.transfer_readings) &&
          'Send the reading from which billing continues.',
      ),
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
  rule({
    code: 'missing_transfer_reading_for_register',
    on: 'electricityMeterPoint',
    field: 'meters.<i>.transfer_readings',
    completeness: true,
    needs: ['clock'],
    reason: 'Billing needs a reading of each register to continue from.',
    breach: (point, { today }) => {
      if (!isBillable(point, today) || isHalfHourly(point)) return undefined;
      return each(point.meters, (meter) => {
        if (!isActive(meter)) return undefined;
        const read = new Set(meter.transfer_readings?.map((one) => one.register_id));
        const unread = meter.registers?.find((one) => isSettlement(one) && !read.has(one.register_id));
        return (
          unread &&
          `Send the reading of the register ${quote(unread.register_id)} from which billing continues.`
        );
      });
    },
  }),
  rule({
    code: 'multiple_transfer_readings_for_register',
    on: 'electricityMeter',
    field: 'transfer_readings',
    reason: 'Billing of a register continues from exactly one reading.',
    breach: (meter) => {
      if (!isActive(meter)) return undefined;
      const own = new Set(meter.registers?.map((one) => one.register_id));
      const read = new Set<string>();
      for (const { register_id: id } of meter.transfer_readings ?? []) {
        if (!isGiven(id) || !own.has(id)) continue;
        if (read.has(id)) return `The register ${quote(id)} has more than one reading.`;
        read.add(id);
      }
      return undefined;
    },
  }),
  rule({
    code: 'reading_meter_fully_billed',
    on: 'meterPoint',
    field: 'meters.<i>.transfer_readings',
    reason: 'A fully billed meter needs no reading for billing to continue from.',
    breach: (point, { account }) =>
      isGiven(point.supply_end_date) &&
      each(
        metersOf(point),
        (meter) =>
          isGiven(meter.transfer_readings) &&
          isFullyBilled(meter, point, account) &&
          'Supply has ended and is fully billed: leave the readings out.',
      ),
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
  rule({
    code: 'no_reading_on_removed_on',
    on: 'meter',
    completeness: true,
    reason: 'The final reading of a meter is taken on the day of its removal.',
    breach: (meter) => {
      const { removed_on: removed } = meter;
      return (
        isGiven(removed) &&
        !hasReadingOn(removed, meter) &&
        `The meter was removed on ${removed}: send its reading of that day.`
      );
    },
  }),
  rule({
    code: 'no_reading_on_supply_end_date',
    on: 'meterPoint',
    field: 'meters.<i>',
    tier: 'gbr',
    completeness: true,
    needs: ['clock'],
    reason: 'The final bill needs the reading of the day on which supply ended.',
    breach: ({ supply_end_date: end, meters }, { today }) =>
      end &&
      end <= today &&
      each(
        meters,
        (meter) =>
          (!meter.removed_on || meter.removed_on >= end) &&
          !hasReadingOn(end, meter) &&
          `Supply ended on ${end}: send the reading of that day.`,
      ),
  }),
];

function describeMissingRegister({ register_id: id }: Reading): string | false {
  return !isGiven(id) && 'Send the identifier of the register that was read.';
}

function findUnknownRegisters(readings: readonly Reading[] | undefined, registers: readonly Register[] = []) {
  if (!readings) return undefined;
  const known = new Set(registers.map((one) => one.register_id));
  return each(
    readings,
    ({ register_id: id }) => isGiven(id) && !known.has(id) && `The meter has no register ${quote(id)}.`,
  );
}

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

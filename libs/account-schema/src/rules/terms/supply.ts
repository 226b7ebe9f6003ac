import type { AnyMeter, ElectricityMeter, Register } from '../../contract/meters';
import type { AnyMeterPoint, MeterPoint } from '../../contract/meter-points';

/** **billable** meter point: supply_end_date absent, null or after today. */
export function isBillable(point: AnyMeterPoint, today: string): boolean {
  return !point.supply_end_date || point.supply_end_date > today;
}

/** **active** meter: removed_on absent or null. */
export function isActive(meter: AnyMeter): boolean {
  return !meter.removed_on;
}

/** **exchanged** meter: removed_on set. */
export function isExchanged(meter: AnyMeter): boolean {
  return !isActive(meter);
}

/** **replacements**: meters installed on or after the day on which another meter of the meter point was removed. */
export function findReplacements<Meter extends AnyMeter>(meters: readonly Meter[]): Meter[] {
  const [first, second] = meters.filter(isExchanged).sort(byRemoval);
  return meters.filter((meter) => {
    const removed = (meter === first ? second : first)?.removed_on;
    return removed != null && meter.installed_on != null && meter.installed_on >= removed;
  });
}

function byRemoval(a: AnyMeter, b: AnyMeter): number {
  return (a.removed_on ?? '') < (b.removed_on ?? '') ? -1 : 1;
}

/** **settlement register**: is_settlement true or absent. */
export function isSettlement(register: Register): boolean {
  return register.is_settlement !== false;
}

/** The settlement registers of the active meters. */
export function billedRegisters(meters: readonly ElectricityMeter[] | undefined): Register[] {
  const found: Register[] = [];
  for (const meter of meters ?? []) {
    if (!isActive(meter)) continue;
    for (const register of meter.registers ?? []) {
      if (isSettlement(register)) found.push(register);
    }
  }
  return found;
}

/** **half-hourly** electricity meter point: measurement class C, E, F or G. */
export function isHalfHourly(point: MeterPoint): boolean {
  const measured = point.supply_type === 'ELECTRICITY' ? point.measurement_class : undefined;
  return measured !== undefined && 'CEFG'.includes(measured);
}

/** **unmetered** electricity meter point: measurement class B or D. */
export function isUnmetered(point: MeterPoint): boolean {
  return (
    point.supply_type === 'ELECTRICITY' &&
    (point.measurement_class === 'B' || point.measurement_class === 'D')
  );
}

import type { Account } from '../../contract/account';
import type { MeterPoint } from '../../contract/meter-points';
import type { Register } from '../../contract/meters';
import { earliest } from './calendar';
import { isSettlement } from './supply';

/** **effective last-billed-to date** of a meter point: its own, else the account's. */
export function billedToOfPoint(point: MeterPoint, account: Account): string | undefined {
  return point.last_billed_to_date ?? account.last_billed_to_date;
}

/** **effective last-billed-to date** of a register: its own, else the meter point's, else the account's. */
export function billedToOfRegister(
  register: Register | undefined,
  point: MeterPoint,
  account: Account,
): string | undefined {
  return register?.last_billed_to_date ?? billedToOfPoint(point, account);
}

/** The fields of a meter with its last-billed-to dates: registers for electricity, a day for gas. */
export interface BilledMeter {
  readonly registers?: readonly Register[];
  readonly last_billed_to_date?: string;
}

/** **effective last-billed-to date** of a gas meter: its own, else the meter point's, else the account's. */
export function billedToOfGasMeter(
  meter: BilledMeter,
  point: MeterPoint,
  account: Account,
): string | undefined {
  return meter.last_billed_to_date ?? billedToOfPoint(point, account);
}

/** The effective last-billed-to dates of a meter: one for each settlement register, or one for a gas meter. */
export function billedToDatesOf(
  meter: BilledMeter,
  point: MeterPoint,
  account: Account,
): (string | undefined)[] {
  if (point.supply_type === 'GAS') return [billedToOfGasMeter(meter, point, account)];
  const settled = meter.registers?.filter(isSettlement) ?? [];
  if (settled.length === 0) return [billedToOfPoint(point, account)];
  return settled.map((register) => billedToOfRegister(register, point, account));
}

/** **fully billed** meter: supply at its meter point has ended, and the meter is billed at least up to that day. */
export function isFullyBilled(meter: BilledMeter, point: MeterPoint, account: Account): boolean {
  const { supply_end_date: end } = point;
  if (!end) return false;
  return billedToDatesOf(meter, point, account).every(
    (billedTo) => billedTo !== undefined && billedTo >= end,
  );
}

/** **earliest last-billed-to date** of the account, its meter points, gas meters and registers. */
export function earliestBilledTo(account: Account): string | undefined {
  const days = [account.last_billed_to_date];
  for (const address of account.supply_addresses ?? []) {
    for (const point of address.meter_points) {
      days.push(point.last_billed_to_date);
      for (const meter of (point.meters ?? []) as readonly BilledMeter[]) {
        if (point.supply_type === 'GAS') days.push(meter.last_billed_to_date);
        else for (const register of meter.registers ?? []) days.push(register.last_billed_to_date);
      }
    }
  }
  return earliest(days);
}

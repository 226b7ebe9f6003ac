/** Formats whole pence as pounds with two decimals. */
export function formatPounds(pence: number): string {
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * The cost of a number of units in whole pence, with halves rounded up as in the contract.
 *
 * @param price in hundredths of a penny a unit
 */
export function costInPence(units: number, price: number): number {
  return Math.floor((units * price + 50) / 100);
}

/** Formats a price in hundredths of a penny as pounds with four decimals. */
export function formatPrice(price: number): string {
  return `${Math.floor(price / 10_000)}.${String(price % 10_000).padStart(4, '0')}`;
}

/** A percentage of an amount in whole pence, with halves rounded up; a rate of 5 is 5 %. */
export function percentOf(pence: number, rate: number): number {
  return Math.floor((pence * rate + 50) / 100);
}

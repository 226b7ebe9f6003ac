/** Money is reckoned in whole pence, and written in pounds with two decimals. */
export function pounds(pence: number): string {
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * What so many units cost, in whole pence, rounded half up as the contract rounds.
 *
 * @param price in hundredths of a penny a unit
 */
export function cost(units: number, price: number): number {
  return Math.floor((units * price + 50) / 100);
}

/** A price in hundredths of a penny, written in pounds with four decimals. */
export function priceInPounds(price: number): string {
  return `${Math.floor(price / 10_000)}.${String(price % 10_000).padStart(4, '0')}`;
}

/** The share of an amount, rounded half up to the penny; a rate of 5 is 5 %. */
export function percentOf(pence: number, rate: number): number {
  return Math.floor((pence * rate + 50) / 100);
}

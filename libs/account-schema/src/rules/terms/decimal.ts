/**
 * Exact decimals: a number of 10^-10ths in a bigint. The contract knows no more than ten decimals, so sums are
 * exact; a product has twenty, and is compared as such or rounded.
 */
export type Exact = bigint;

const PLACES = 10;
const POWERS = Array.from({ length: 2 * PLACES + 1 }, (_, n) => 10n ** BigInt(n));

/** Reads canonical decimal text; absent counts as zero. */
export function exact(text: string | undefined): Exact {
  if (text === undefined) return 0n;
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text) * power(PLACES);
  const places = text.length - point - 1;
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * power(PLACES - places);
}

export function sum<Item>(items: readonly Item[] | undefined, amountOf: (item: Item) => Exact): Exact {
  let total = 0n;
  for (const item of items ?? []) total += amountOf(item);
  return total;
}

/** Rounds to two decimals, halves away from zero, and answers in hundredths. */
export function inHundredths(value: Exact): bigint {
  return roundedQuotient(value, power(PLACES - 2));
}

/** The product of two, rounded as above. */
export function productInHundredths(a: Exact, b: Exact): bigint {
  return roundedQuotient(a * b, power(2 * PLACES - 2));
}

/** For people: two decimals at least, more only where there are more. */
export function amountText(value: Exact): string {
  const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  const decimals = digits.slice(-PLACES).replace(/0{1,8}$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${decimals}`;
}

function roundedQuotient(value: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return value < 0n ? -((-value + half) / divisor) : (value + half) / divisor;
}

function power(exponent: number): bigint {
  const found = POWERS[exponent];
  if (found === undefined) throw new RangeError('More than ten decimals.');
  return found;
}

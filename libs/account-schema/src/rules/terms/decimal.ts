/**
 * Exact decimals, as how many 10^-10ths: the contract knows no more than ten decimals. A number as long as that is
 * a safe integer, up to 900,000, because it is many times faster; else a bigint. Equal values are equal by `===`.
 */
export type Exact = number | bigint;

const PLACES = 10;
const ONE = 10 ** PLACES;
const POWERS = Array.from({ length: PLACES + 1 }, (_, n) => 10 ** n);

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Reads canonical decimal text; absent counts as zero. */
export function exact(text: string | undefined): Exact {
  if (text === undefined) return 0;
  let digits = 0;
  let places = 0;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === POINT) places = text.length - i - 1;
    else if (c !== MINUS) digits = digits * 10 + (c - ZERO);
  }
  const size = digits * power(PLACES - places);
  if (!Number.isSafeInteger(size)) return BigInt(text.replace('.', '')) * BigInt(power(PLACES - places));
  return text.charCodeAt(0) === MINUS ? -size : size;
}

export function plus(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  return numberIfSafe(BigInt(a) + BigInt(b));
}

export function sum<Item>(items: readonly Item[] | undefined, amountOf: (item: Item) => Exact): Exact {
  let total: Exact = 0;
  for (const item of items ?? []) total = plus(total, amountOf(item));
  return total;
}

/** Rounds to two decimals, halves away from zero. */
export function rounded(value: Exact): Exact {
  return roundedProduct(value, ONE);
}

/** The product of two, rounded as above. */
export function roundedProduct(a: Exact, b: Exact): Exact {
  const hundredths = Number(a) * Number(b) * 1e-18;
  const nearest = Math.round(hundredths);
  // Off by a billionth at most: only near a half floating point cannot tell.
  const isSure = Math.abs(hundredths) < 1e6 && Math.abs(hundredths - nearest) < 0.499;
  return isSure
    ? nearest * 1e8
    : numberIfSafe(roundedQuotient(BigInt(a) * BigInt(b), 10n ** 18n) * 10n ** 8n);
}

/** For people: two decimals at least, more only where there are more. */
export function amountText(value: Exact): string {
  const digits = String(value < 0 ? -value : value).padStart(PLACES + 1, '0');
  const decimals = digits.slice(-PLACES).replace(/0{1,8}$/, '');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -PLACES)}.${decimals}`;
}

function numberIfSafe(value: bigint): Exact {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function roundedQuotient(value: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return value < 0n ? -((-value + half) / divisor) : (value + half) / divisor;
}

function power(exponent: number): number {
  const found = POWERS[exponent];
  if (found === undefined) throw new RangeError('More than ten decimals.');
  return found;
}

/**
 * An exact decimal in units of 10^-10, because the contract allows at most ten decimals. It is a number while that
 * is a safe integer (values up to 900,000), because numbers are many times faster, and a bigint otherwise. Equal
 * values are equal by `===`.
 */
export type Exact = number | bigint;

const PLACES = 10;
const SCALE = 10 ** PLACES;
const POWERS = Array.from({ length: PLACES + 1 }, (_, n) => 10 ** n);

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Parses canonical decimal text. Undefined counts as zero. */
export function parseExact(text: string | undefined): Exact {
  if (text === undefined) return 0;
  let digits = 0;
  let places = 0;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === POINT) places = text.length - i - 1;
    else if (c !== MINUS) digits = digits * 10 + (c - ZERO);
  }
  const size = digits * powerOfTen(PLACES - places);
  if (!Number.isSafeInteger(size)) return BigInt(text.replace('.', '')) * BigInt(powerOfTen(PLACES - places));
  return text.charCodeAt(0) === MINUS ? -size : size;
}

/** Adds two exact decimals. */
export function add(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  return toNumberIfSafe(BigInt(a) + BigInt(b));
}

/** The sum of the items' amounts; zero for an absent list. */
export function sum<Item>(items: readonly Item[] | undefined, amountOf: (item: Item) => Exact): Exact {
  let total: Exact = 0;
  for (const item of items ?? []) total = add(total, amountOf(item));
  return total;
}

/** Rounds to two decimals, with halves away from zero. */
export function round(value: Exact): Exact {
  return multiplyAndRound(value, SCALE);
}

/** Multiplies and rounds to two decimals, with halves away from zero. */
export function multiplyAndRound(a: Exact, b: Exact): Exact {
  const hundredths = Number(a) * Number(b) * 1e-18;
  const nearest = Math.round(hundredths);
  // The error is at most 10^-9, so floating point is only ambiguous near a half.
  const isSure = Math.abs(hundredths) < 1e6 && Math.abs(hundredths - nearest) < 0.499;
  return isSure
    ? nearest * 1e8
    : toNumberIfSafe(divideAndRound(BigInt(a) * BigInt(b), 10n ** 18n) * 10n ** 8n);
}

/** The number of digits before the point of canonical decimal text; a lone zero counts as one. */
export function countWholeDigits(text: string): number {
  const point = text.indexOf('.');
  const end = point === -1 ? text.length : point;
  return text.charCodeAt(0) === MINUS ? end - 1 : end;
}

/** Formats for people, with at least two decimals and more only if needed. */
export function formatAmount(value: Exact): string {
  const digits = String(value < 0 ? -value : value).padStart(PLACES + 1, '0');
  const decimals = digits.slice(-PLACES).replace(/0{1,8}$/, '');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -PLACES)}.${decimals}`;
}

function toNumberIfSafe(value: bigint): Exact {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function divideAndRound(value: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return value < 0n ? -((-value + half) / divisor) : (value + half) / divisor;
}

function powerOfTen(exponent: number): number {
  const found = POWERS[exponent];
  if (found === undefined) throw new RangeError('More than ten decimals.');
  return found;
}

import { decimalTextOf } from './text';

/** Longer numerals are rejected without being parsed. */
export const MAX_NUMERAL_LENGTH = 1_000;

const INTEGER = /^[+-]?\d+(?:\.0*)?$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** An integer from a JSON number or from text; undefined if it is not whole or not exactly representable. */
export function integerOf(value: unknown): number | undefined {
  const read = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
  if (typeof read !== 'number' || !Number.isSafeInteger(read)) return undefined;
  return read === 0 ? 0 : read;
}

/** True for an integer so large that a JSON number does not have all of its digits, as a number or as text. */
export function isRoundedInteger(value: unknown): boolean {
  const read = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
  return typeof read === 'number' && !Number.isNaN(read) && Math.abs(read) > Number.MAX_SAFE_INTEGER;
}

/** The parts of a decimal: `whole` has at least one digit and no leading zeros, `fraction` is as written. */
export interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** The exact decimal of a JSON number or of text; undefined for texts with an exponent. */
export function decimalOf(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? decimalTextOf(value) : value;
  if (typeof text !== 'string') return undefined;
  const match = DECIMAL.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const significant = whole.replace(/^0+(?=\d)/, '') || '0';
  const isZero = significant === '0' && /^0*$/.test(fraction);
  return { negative: sign === '-' && !isZero, whole: significant, fraction };
}

/**
 * Canonical decimal text: a minus sign only for numbers below zero, at least one digit before the point, no leading
 * zeros, and as many decimals as were sent ("12.50" stays "12.50").
 */
export function canonicalDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The decimals that count where `places` are permitted: zeros after these do not. */
export function significantFraction({ fraction }: Decimal, places: number): string {
  let end = fraction.length;
  while (end > places && fraction.charCodeAt(end - 1) === ZERO) end -= 1;
  return fraction.slice(0, end);
}

const ZERO = 48;

/** True for a decimal above zero. */
export function isAboveZero({ negative, whole, fraction }: Decimal): boolean {
  return !negative && /[1-9]/.test(whole + fraction);
}

/** Number of digits before the point; a lone zero counts as none. */
export function wholeDigits({ whole }: Decimal): number {
  return whole === '0' ? 0 : whole.length;
}

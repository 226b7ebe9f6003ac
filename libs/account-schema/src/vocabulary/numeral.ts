import { decimalTextOf } from './text';

/** A numeral longer than this is refused before it is looked at. */
export const LONGEST_NUMERAL = 1_000;

const INTEGER = /^[+-]?\d+(?:\.0*)?$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** An integer from a JSON number or from text; undefined unless it is whole and exact. */
export function integerOf(value: unknown): number | undefined {
  const read = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
  if (typeof read !== 'number' || !Number.isSafeInteger(read)) return undefined;
  return read === 0 ? 0 : read;
}

/** A decimal taken apart: no leading zeros in `whole` (at least one digit), `fraction` as it was written. */
export interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** A decimal from a JSON number or from text, exactly; exponents are not read. */
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
 * Canonical decimal text: a minus only before what is less than zero, one digit at least before the point and
 * no leading zeros, decimals as many as were sent ("12.50" stays "12.50").
 */
export function canonicalDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Digits before the point; a lone zero does not count. */
export function wholeDigits({ whole }: Decimal): number {
  return whole === '0' ? 0 : whole.length;
}

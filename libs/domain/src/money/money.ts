/**
 * An amount in hundredths of the currency unit. A bigint: amounts have up to twelve digits, and ten thousand of them
 * add up to more than a number keeps exactly. `+` and unary `-` are exact, and JSON refuses it until it is written
 * with `formatMoney`.
 */
export type Money = bigint;

/** Digits before the point that a single amount may have; sums may have more. */
const AMOUNT_DIGITS = 10;

const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Reads decimal text such as `12`, `12.5` or `-0.10`. Never rounds: undefined for anything else, for more than two
 * decimals, and for more than `wholeDigits` digits before the point.
 */
export function readMoney(text: string, wholeDigits = AMOUNT_DIGITS): Money | undefined {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === '' || whole.length > wholeDigits) return undefined;
  const hundredths = BigInt(whole + fraction.padEnd(2, '0'));
  return sign === '-' ? -hundredths : hundredths;
}

/** Decimal text with exactly two decimals, as responses carry amounts (contract 2.5). */
export function formatMoney(amount: Money): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * An amount in hundredths of the currency unit. It is a bigint, because the sum of ten thousand amounts of twelve digits
 * exceeds the exact range of a number. JSON.stringify throws on it, so it has to be formatted with `formatMoney`.
 */
export type Money = bigint;

/** Maximum number of digits before the decimal point of an amount. Sums may have more. */
const MAX_WHOLE_DIGITS = 10;

const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Parses decimal text such as `12`, `12.5` or `-0.10`. It never rounds: it returns undefined for any other text, for
 * more than two decimals, and for more than `maxWholeDigits` digits before the point.
 */
export function parseMoney(text: string, maxWholeDigits = MAX_WHOLE_DIGITS): Money | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole.length > maxWholeDigits) return undefined;
  const hundredths = BigInt(whole + fraction.padEnd(2, '0'));
  return sign === '-' ? -hundredths : hundredths;
}

/** Decimal text with exactly two decimals, the format of amounts in responses (contract, "Transaction"). */
export function formatMoney(amount: Money): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

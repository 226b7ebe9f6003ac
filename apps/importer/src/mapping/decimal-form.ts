import { failAt } from './yaml-node';

/** How a source writes numbers. */
export interface DecimalFormat {
  /** What stands before the decimals: `.` or `,`. */
  readonly decimal: string;
  /** What may stand between groups of three digits; undefined if nothing may. */
  readonly thousands: string | undefined;
  /** True changes the sign. */
  readonly negate: boolean;
}

/** What may stand between groups of three digits: spaces of several widths, and apostrophes, among others. */
export const THOUSANDS: readonly string[] = ['.', ',', ' ', "'", '\u2019', '\u00a0', '\u2009', '\u202f'];

/** Reads a number as exact decimal text, never as a float; undefined if the text has another form. */
export function decimalReader(
  { decimal, thousands, negate }: DecimalFormat,
  path: string,
): (text: string) => string | undefined {
  if (decimal !== '.' && decimal !== ',') failAt(`${path}.decimal`, "Give '.' or ','.");
  if (thousands !== undefined && (!THOUSANDS.includes(thousands) || thousands === decimal))
    failAt(
      `${path}.thousands`,
      "Give '.', ',', a space or an apostrophe, and another one than that of decimal.",
    );
  const whole = thousands === undefined ? '\\d+' : `\\d{1,3}(?:[${thousands}]\\d{3})+|\\d+`;
  const expression = new RegExp(`^(?<sign>[+-]?)(?<whole>${whole})(?:[${decimal}](?<places>\\d+))?$`);
  return (text) => {
    const { sign, whole: digits, places } = expression.exec(text)?.groups ?? {};
    if (digits === undefined) return undefined;
    const canonical = digits.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
    const amount = places === undefined ? canonical : `${canonical}.${places}`;
    const isNegative = (sign === '-') !== negate && /[1-9]/.test(amount);
    return isNegative ? `-${amount}` : amount;
  };
}

import {
  canonicalDecimal,
  decimalOf,
  integerOf,
  isAboveZero,
  isRoundedInteger,
  MAX_NUMERAL_LENGTH,
  significantFraction,
  wholeDigits,
} from '../../vocabulary/numeral';
import { Fault } from '../fault';
import type { Reader } from '../reader';
import { NULL } from './null';

const TOO_LONG = new Fault(
  'max_string_length',
  `Enter a number of at most ${MAX_NUMERAL_LENGTH} characters.`,
);
const NOT_WHOLE = new Fault('invalid', 'Enter a whole number.');
const NOT_DECIMAL = new Fault('invalid', 'Enter a decimal number such as 12.50, without an exponent.');
const SEND_AS_TEXT = new Fault(
  'invalid',
  'Send a number beyond 2^53 as text: programs that read JSON round it.',
);
const NOT_ABOVE_ZERO = new Fault('min_value', 'Enter an amount above zero.');

/** Limits of an integer; both are inclusive. */
export interface IntegerRules {
  readonly nullable: boolean;
  readonly min: number;
  readonly max: number;
}

/** An integer, from a number or text; converted to a number. */
export function integerReader({ nullable, min, max }: IntegerRules): Reader {
  const tooSmall = new Fault('min_value', `Enter ${min} or more.`);
  const tooBig = new Fault('max_value', `Enter ${max} or less.`);
  const tooLarge = new Fault(
    'invalid',
    `The number is too long: enter a whole number from ${min} to ${max}.`,
  );
  return (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) {
      return undefined;
    }
    if (value === null) return nullable ? undefined : NULL;
    if (typeof value === 'string' && value.length > MAX_NUMERAL_LENGTH) return TOO_LONG;
    const read = integerOf(value);
    if (read === undefined) return isRoundedInteger(value) ? tooLarge : NOT_WHOLE;
    if (read < min) return tooSmall;
    return read > max ? tooBig : read;
  };
}

/** Limits of a decimal: maximum digits before and after the point. */
export interface DecimalRules {
  readonly nullable: boolean;
  readonly aboveZero: boolean;
  readonly whole: number;
  readonly places: number;
}

/** A decimal, from a number or text; converted to canonical decimal text. */
export function decimalReader({ nullable, aboveZero, whole, places }: DecimalRules): Reader {
  const limits = `at most ${whole} digits before the point and ${places} after it.`;
  const tooManyDigits = new TooPrecise('max_digits', `The number is too long: enter ${limits}`, places);
  const tooManyPlaces = new TooPrecise('max_decimal_places', `Enter ${limits}`, places);
  const tooManyWhole = new Fault('max_whole_digits', `The number is too long: enter ${limits}`);
  const tooLarge = new Fault('invalid', `The number is too long: enter ${limits}`);
  return (value) => {
    if (!aboveZero && typeof value === 'string' && isCanonicalWithin(value, whole, places)) return undefined;
    if (value === null) return nullable ? undefined : NULL;
    if (typeof value === 'string' && value.length > MAX_NUMERAL_LENGTH) return TOO_LONG;
    const decimal = decimalOf(value);
    if (!decimal) {
      if (typeof value !== 'number' || !isRoundedInteger(value)) return NOT_DECIMAL;
      return Math.abs(value) >= 10 ** whole ? tooLarge : SEND_AS_TEXT;
    }
    const before = wholeDigits(decimal);
    const fraction = significantFraction(decimal, places);
    if (before + fraction.length > whole + places) return tooManyDigits;
    if (fraction.length > places) return tooManyPlaces;
    if (before > whole) return tooManyWhole;
    if (aboveZero && !isAboveZero(decimal)) return NOT_ABOVE_ZERO;
    const canonical = canonicalDecimal({ ...decimal, fraction });
    return canonical === value ? undefined : canonical;
  };
}

/** The fault of a decimal with too many digits after the point. Proposes a value where these are rounding noise. */
class TooPrecise extends Fault {
  constructor(
    code: string,
    sentence: string,
    private readonly places: number,
  ) {
    super(code, sentence);
  }

  override describe(value: unknown): string {
    const rounded = withoutNoise(value, this.places);
    const described = super.describe(value);
    return rounded === undefined
      ? described
      : `${described} Its last digits are the rounding noise of binary numbers: send ${rounded}.`;
  }
}

/** Significant digits from which the decimal text of a binary number may have rounding noise. */
const NOISY_DIGITS = 15;

/** The number that was probably meant by one like 61.10000000000001, as text; undefined for other values. */
function withoutNoise(value: unknown, places: number): string | undefined {
  if (typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return undefined;
  const digits = String(value).replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '');
  const rounded = value.toFixed(places);
  const isNoise = Math.abs(Number(rounded) - value) <= Math.abs(value) * 1e-12;
  return digits.length >= NOISY_DIGITS && isNoise ? rounded : undefined;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** True if the text is canonical decimal text within the limits. Reads each character once. */
function isCanonicalWithin(text: string, whole: number, places: number): boolean {
  const length = text.length;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (length === start || length > start + whole + places + 2) return false;
  let point = -1;
  let isZero = true;
  for (let i = start; i < length; i += 1) {
    const c = text.charCodeAt(i);
    if (c >= ZERO && c <= NINE) {
      if (c !== ZERO) isZero = false;
    } else if (c === POINT && point < 0) {
      point = i;
    } else {
      return false;
    }
  }
  if (isZero && start === 1) return false;
  const end = point < 0 ? length : point;
  const before = end - start;
  const startsWithZero = text.charCodeAt(start) === ZERO;
  if (before === 0 || (startsWithZero && before > 1)) return false;
  if ((startsWithZero ? 0 : before) > whole) return false;
  return point < 0 || (point < length - 1 && length - point - 1 <= places);
}

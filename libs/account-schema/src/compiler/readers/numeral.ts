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
export interface IntegerConstraints {
  readonly min: number;
  readonly max: number;
}

/** An integer, from a number or text; converted to a number. */
export function integerReader({ min, max }: IntegerConstraints): Reader {
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
    if (typeof value === 'string' && value.length > MAX_NUMERAL_LENGTH) return TOO_LONG;
    const read = integerOf(value);
    if (read === undefined) return isRoundedInteger(value) ? tooLarge : NOT_WHOLE;
    if (read < min) return tooSmall;
    return read > max ? tooBig : read;
  };
}

/** Limits of a decimal: maximum digits before and after the point. */
export interface DecimalConstraints {
  readonly aboveZero: boolean;
  readonly whole: number;
  readonly places: number;
}

/** A decimal, from a number or text; converted to canonical decimal text. */
export function decimalReader({ aboveZero, whole, places }: DecimalConstraints): Reader {
  const limits = `at most ${whole} digits before the point and ${places} after it.`;
  const tooManyDigits = new TooPrecise('max_digits', `The number is too long: enter ${limits}`, places);
  const tooManyPlaces = new TooPrecise('max_decimal_places', `Enter ${limits}`, places);
  const tooManyWhole = new Fault('max_whole_digits', `The number is too long: enter ${limits}`);
  const tooLarge = new Fault('invalid', `The number is too long: enter ${limits}`);
  const canonicalForm = new RegExp(`^(?!-[0.]+$)-?(?:0|[1-9]\\d{0,${whole - 1}})(?:\\.\\d{1,${places}})?$`);
  return (value) => {
    if (typeof value === 'string') {
      if (value.length > MAX_NUMERAL_LENGTH) return TOO_LONG;
      if (!aboveZero && canonicalForm.test(value)) return undefined;
    }
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

import { hasInvisibleCharacter, normalizeIdentifier } from '@portage/text';
import { isDate, isDateFollowedByTime, isTime } from './calendar';
import type { Constraint, ConstraintName } from './constraint';
import { isObject, isStorableJson } from './json';
import { readMoment } from './moment';
import {
  decimalOf,
  integerOf,
  isAboveZero,
  MAX_NUMERAL_LENGTH,
  significantFraction,
  wholeDigits,
} from './numeral';
import { identifierOf, isDotSegment, isLongerThan, isStorable, textOf } from './text';

type Named<Name extends ConstraintName> = Extract<Constraint, { name: Name }>;
type Check<Name extends ConstraintName> = (value: unknown, constraint: Named<Name>) => boolean;

/**
 * The region whose formats stock class-validator checks. Unlike the compiled form, it cannot receive a context with
 * each call.
 */
export const STOCK_REGION = 'GB';

/** The time zone in which days start for stock class-validator. */
const STOCK_TIME_ZONE = 'UTC';

/** Maximum nesting of free JSON in a field for stock class-validator. The compiled form counts from the account. */
const STOCK_NESTING = 32;

/**
 * The definition of each constraint, written for readability. Stock class-validator executes it, and the compiled
 * form must agree with it. A constraint is only meaningful for values that satisfy the preceding ones. All constraints
 * except `present` and `notNull` accept absent and null values.
 */
const CHECKS: { [Name in Exclude<ConstraintName, 'present' | 'notNull'>]: Check<Name> } = {
  storable: (value) => typeof value !== 'string' || isStorable(value),
  text: (value) => {
    const text = textOf(value);
    return text !== undefined && isStorable(text);
  },
  notBlank: (value) => textOf(value)?.trim() !== '',
  visible: (value) => !hasInvisibleCharacter(readText(value, true)),
  identifier: (value) => {
    const text = identifierOf(value);
    return text !== undefined && isStorable(text);
  },
  notDotSegment: (value) => !isDotSegment(textOf(value)?.trim() ?? ''),
  minLength: (value, { min, identifies }) => {
    const text = readText(value, identifies);
    return text === '' || isLongerThan(text, min - 1);
  },
  maxLength: (value, { max, identifies }) => !isLongerThan(readText(value, identifies), max),
  format: (value, { format, identifies }) => {
    const text = readText(value, identifies);
    return text === '' || (isStorable(text) && format.read(text, STOCK_REGION) !== undefined);
  },
  isIn: (value, { values }) => values.includes(textOf(value) ?? '\0'),
  isBoolean: (value) => typeof value === 'boolean',
  shortNumeral: (value) => typeof value !== 'string' || value.length <= MAX_NUMERAL_LENGTH,
  isInt: (value) => integerOf(value) !== undefined,
  min: (value, { min }) => (integerOf(value) ?? min) >= min,
  max: (value, { max }) => (integerOf(value) ?? max) <= max,
  isDecimal: (value) => decimalOf(value) !== undefined,
  digits: (value, { whole, places }) => {
    const decimal = decimalOf(value);
    if (decimal === undefined) return true;
    return wholeDigits(decimal) + significantFraction(decimal, places).length <= whole + places;
  },
  places: (value, { places }) => {
    const decimal = decimalOf(value);
    return decimal === undefined || significantFraction(decimal, places).length <= places;
  },
  wholeDigits: (value, { whole }) => {
    const decimal = decimalOf(value);
    return decimal === undefined || wholeDigits(decimal) <= whole;
  },
  isPositive: (value) => {
    const decimal = decimalOf(value);
    return decimal === undefined || isAboveZero(decimal);
  },
  dateWithoutTime: (value) => !isDateFollowedByTime(value),
  date: isDate,
  datetime: (value) => readMoment(value, STOCK_TIME_ZONE) !== undefined,
  time: isTime,
  parsed: (value, { parser }) => parser.parse(value) !== undefined,
  json: (value) => isStorableJson(value, STOCK_NESTING),
  dictionary: isObject,
  isArray: Array.isArray,
  arrayMinSize: (value, { min }) => !Array.isArray(value) || value.length >= min,
  itemsNotNull: (value) => !Array.isArray(value) || value.every((item) => item !== null),
  itemsObjects: (value) => !Array.isArray(value) || value.every((item) => item === null || isObject(item)),
  object: isObject,
};

/** The text as it is read, empty if the value is none. */
function readText(value: unknown, identifies: boolean): string {
  const text = textOf(value) ?? '';
  return identifies ? normalizeIdentifier(text) : text.trim();
}

/** True if `value` satisfies `constraint`. */
export function isSatisfied(constraint: Constraint, value: unknown): boolean {
  if (constraint.name === 'present') return value !== undefined;
  if (value === undefined) return true;
  if (constraint.name === 'notNull') return value !== null;
  if (value === null) return true;
  const check = CHECKS[constraint.name] as (value: unknown, constraint: Constraint) => boolean;
  return check(value, constraint);
}

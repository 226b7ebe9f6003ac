import { isDate, isDateFollowedByTime, isDatetime, isTime } from './calendar';
import { type Constraint, type ConstraintName } from './constraint';
import { isObject, isStorableJson } from './json';
import { decimalOf, integerOf, LONGEST_NUMERAL, wholeDigits } from './numeral';
import { hasControlCharacter, isLongerThan, isStorable, textOf } from './text';

type Named<Name extends ConstraintName> = Extract<Constraint, { is: Name }>;
type Check<Name extends ConstraintName> = (value: unknown, constraint: Named<Name>) => boolean;

/**
 * Region in which stock class-validator checks formats: it has no place for a context of one call, which the
 * compiled form has.
 */
export const STOCK_REGION = 'GB';

/** Free JSON inside a field may be nested this deep in stock validation; the compiled form counts from the account. */
const STOCK_NESTING = 32;

/**
 * What each constraint means, written to be read: the definition that stock class-validator executes and that
 * the compiled form must agree with. A constraint only speaks of values that the ones before it let pass, and
 * all but the first two say nothing about absent or null values.
 */
const CHECKS: { [Name in Exclude<ConstraintName, 'present' | 'notNull'>]: Check<Name> } = {
  storable: (value) => typeof value !== 'string' || isStorable(value),
  text: (value) => {
    const text = textOf(value);
    return text !== undefined && isStorable(text);
  },
  notBlank: (value) => textOf(value)?.trim() !== '',
  withoutControlCharacters: (value) => !hasControlCharacter(textOf(value) ?? ''),
  exactLength: (value, { max }) => !isLongerThan(textOf(value) ?? '', max),
  minLength: (value, { min }) => {
    const text = textOf(value)?.trim() ?? '';
    return text === '' || isLongerThan(text, min - 1);
  },
  maxLength: (value, { max }) => !isLongerThan(textOf(value)?.trim() ?? '', max),
  format: (value, { format }) => {
    const text = textOf(value)?.trim() ?? '';
    return text === '' || (isStorable(text) && format.read(text, STOCK_REGION) !== undefined);
  },
  choice: (value, { values }) => values.includes(textOf(value) ?? '\0'),
  boolean: (value) => typeof value === 'boolean',
  shortNumeral: (value) => typeof value !== 'string' || value.length <= LONGEST_NUMERAL,
  integer: (value) => integerOf(value) !== undefined,
  min: (value, { min }) => (integerOf(value) ?? min) >= min,
  max: (value, { max }) => (integerOf(value) ?? max) <= max,
  decimal: (value) => decimalOf(value) !== undefined,
  digits: (value, { whole, places }) => {
    const decimal = decimalOf(value);
    return decimal === undefined || wholeDigits(decimal) + decimal.fraction.length <= whole + places;
  },
  places: (value, { places }) => (decimalOf(value)?.fraction.length ?? 0) <= places,
  wholeDigits: (value, { whole }) => {
    const decimal = decimalOf(value);
    return decimal === undefined || wholeDigits(decimal) <= whole;
  },
  dateWithoutTime: (value) => !isDateFollowedByTime(value),
  date: isDate,
  datetimeWithTime: (value) => !isDate(value),
  datetime: isDatetime,
  time: isTime,
  json: (value) => isStorableJson(value, STOCK_NESTING),
  dictionary: isObject,
  list: Array.isArray,
  minItems: (value, { min }) => !Array.isArray(value) || value.length >= min,
  itemsNotNull: (value) => !Array.isArray(value) || value.every((item) => item !== null),
  itemsObjects: (value) => !Array.isArray(value) || value.every((item) => item === null || isObject(item)),
  object: isObject,
};

/** Whether `value` keeps to `constraint`. */
export function holds(constraint: Constraint, value: unknown): boolean {
  if (constraint.is === 'present') return value !== undefined;
  if (value === undefined) return true;
  if (constraint.is === 'notNull') return value !== null;
  if (value === null) return true;
  const check = CHECKS[constraint.is] as (value: unknown, constraint: Constraint) => boolean;
  return check(value, constraint);
}

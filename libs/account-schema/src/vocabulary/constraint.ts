import type { TextFormat } from '../formats/formats';
import type { Shape } from './shape';
import type { ValueParser } from './value-parser';

/**
 * A constraint on one property, stored under its name as the only element of class-validator's
 * `ValidationMetadata.constraints`. A name that class-validator has, such as `isIn` or `maxLength`, means the same here, of
 * the value as it is read: a number can stand for its text, and a text for its number.
 *
 * Decorators register their constraints in order of precedence. Stock class-validator reports every constraint
 * that fails, the compiler only the first; tests compare the two by the first that fails.
 */
export type Constraint =
  | { readonly name: 'present' }
  | { readonly name: 'notNull' }
  | { readonly name: 'storable' }
  | { readonly name: 'text' }
  | { readonly name: 'identifier' }
  | { readonly name: 'notBlank' }
  | { readonly name: 'visible' }
  | { readonly name: 'notDotSegment' }
  | { readonly name: 'minLength'; readonly min: number; readonly identifies: boolean }
  | { readonly name: 'maxLength'; readonly max: number; readonly identifies: boolean }
  | { readonly name: 'format'; readonly format: TextFormat; readonly identifies: boolean }
  | { readonly name: 'isIn'; readonly values: readonly string[] }
  | { readonly name: 'isBoolean' }
  | { readonly name: 'shortNumeral' }
  | { readonly name: 'isInt' }
  | { readonly name: 'min'; readonly min: number }
  | { readonly name: 'max'; readonly max: number }
  | { readonly name: 'isDecimal' }
  | { readonly name: 'digits'; readonly whole: number; readonly places: number }
  | { readonly name: 'places'; readonly places: number }
  | { readonly name: 'wholeDigits'; readonly whole: number }
  | { readonly name: 'isPositive' }
  | { readonly name: 'dateWithoutTime' }
  | { readonly name: 'date' }
  | { readonly name: 'datetime' }
  | { readonly name: 'time' }
  | { readonly name: 'parsed'; readonly parser: ValueParser }
  | { readonly name: 'json' }
  | { readonly name: 'dictionary' }
  | { readonly name: 'isArray' }
  | { readonly name: 'arrayMinSize'; readonly min: number }
  | { readonly name: 'itemsNotNull' }
  | { readonly name: 'itemsObjects'; readonly shape: Shape }
  | { readonly name: 'object'; readonly shape: Shape };

/** The name of a constraint. */
export type ConstraintName = Constraint['name'];

/** The stable error code of a constraint. */
export function codeOf(constraint: Constraint): string {
  if (constraint.name === 'format') return constraint.format.code;
  return constraint.name === 'parsed' ? constraint.parser.code : CODES[constraint.name];
}

const CODES: Record<Exclude<ConstraintName, 'format' | 'parsed'>, string> = {
  present: 'required',
  notNull: 'null',
  storable: 'invalid',
  text: 'invalid',
  identifier: 'invalid',
  notBlank: 'blank',
  visible: 'invalid',
  notDotSegment: 'invalid',
  minLength: 'min_length',
  maxLength: 'max_length',
  isIn: 'invalid_choice',
  isBoolean: 'invalid',
  shortNumeral: 'max_string_length',
  isInt: 'invalid',
  min: 'min_value',
  max: 'max_value',
  isDecimal: 'invalid',
  digits: 'max_digits',
  places: 'max_decimal_places',
  wholeDigits: 'max_whole_digits',
  isPositive: 'min_value',
  dateWithoutTime: 'datetime',
  date: 'invalid',
  datetime: 'invalid',
  time: 'invalid',
  json: 'invalid',
  dictionary: 'not_a_dict',
  isArray: 'not_a_list',
  arrayMinSize: 'empty',
  itemsNotNull: 'null',
  itemsObjects: 'invalid',
  object: 'invalid',
};

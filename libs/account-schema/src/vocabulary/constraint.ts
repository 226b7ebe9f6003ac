import type { TextFormat } from '../formats/formats';
import type { Shape } from './shape';
import type { ValueParser } from './value-parser';

/**
 * A constraint on one property, stored as the only element of class-validator's `ValidationMetadata.constraints`.
 *
 * Decorators register their constraints in order of precedence. Stock class-validator reports every constraint
 * that fails, the compiler only the first; tests compare the two by the first that fails.
 */
export type Constraint =
  | { readonly is: 'present' }
  | { readonly is: 'notNull' }
  | { readonly is: 'storable' }
  | { readonly is: 'text' }
  | { readonly is: 'identifier' }
  | { readonly is: 'notBlank' }
  | { readonly is: 'visible' }
  | { readonly is: 'notDotSegment' }
  | { readonly is: 'minLength'; readonly min: number; readonly identifies: boolean }
  | { readonly is: 'maxLength'; readonly max: number; readonly identifies: boolean }
  | { readonly is: 'format'; readonly format: TextFormat; readonly identifies: boolean }
  | { readonly is: 'choice'; readonly values: readonly string[] }
  | { readonly is: 'boolean' }
  | { readonly is: 'shortNumeral' }
  | { readonly is: 'integer' }
  | { readonly is: 'min'; readonly min: number }
  | { readonly is: 'max'; readonly max: number }
  | { readonly is: 'decimal' }
  | { readonly is: 'digits'; readonly whole: number; readonly places: number }
  | { readonly is: 'places'; readonly places: number }
  | { readonly is: 'wholeDigits'; readonly whole: number }
  | { readonly is: 'aboveZero' }
  | { readonly is: 'dateWithoutTime' }
  | { readonly is: 'date' }
  | { readonly is: 'datetime' }
  | { readonly is: 'time' }
  | { readonly is: 'parsed'; readonly parser: ValueParser }
  | { readonly is: 'json' }
  | { readonly is: 'dictionary' }
  | { readonly is: 'list' }
  | { readonly is: 'arrayMinSize'; readonly min: number }
  | { readonly is: 'itemsNotNull' }
  | { readonly is: 'itemsObjects'; readonly shape: Shape }
  | { readonly is: 'object'; readonly shape: Shape };

/** The name of a constraint. */
export type ConstraintName = Constraint['is'];

/** The stable error code of a constraint. */
export function codeOf(constraint: Constraint): string {
  if (constraint.is === 'format') return constraint.format.code;
  return constraint.is === 'parsed' ? constraint.parser.code : CODES[constraint.is];
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
  choice: 'invalid_choice',
  boolean: 'invalid',
  shortNumeral: 'max_string_length',
  integer: 'invalid',
  min: 'min_value',
  max: 'max_value',
  decimal: 'invalid',
  digits: 'max_digits',
  places: 'max_decimal_places',
  wholeDigits: 'max_whole_digits',
  aboveZero: 'min_value',
  dateWithoutTime: 'datetime',
  date: 'invalid',
  datetime: 'invalid',
  time: 'invalid',
  json: 'invalid',
  dictionary: 'not_a_dict',
  list: 'not_a_list',
  arrayMinSize: 'empty',
  itemsNotNull: 'null',
  itemsObjects: 'invalid',
  object: 'invalid',
};

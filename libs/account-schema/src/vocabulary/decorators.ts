import type { TextFormat } from '../formats/formats';
import type { Constraint } from './constraint';
import type { FieldOptions } from './description';
import { field, objectField } from './field';
import type { Shape } from './shape';
import type { ValueParser } from './value-parser';

/*
 * The decorators of the contract's classes. Each is a list of class-validator constraints in order of precedence;
 * nothing else defines which values a field accepts.
 */

/** Options of a text; `minLength` and `maxLength` are numbers of characters, both inclusive. */
export interface TextOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: TextFormat;
  /** Names an object: read in its one spelling, see `normalizeIdentifier`, and rejected with an invisible character. */
  readonly identifies?: true;
}

/** Trimmed text. A blank text counts as absent if the field is optional and is rejected if it is required. */
export function Text(about: string, options: TextOptions = {}): PropertyDecorator {
  return field(about, options, textConstraints(options, options.required === true));
}

/** {@link Text} that identifies an object: read in its one spelling, and rejected with an invisible character. */
export function Code(about: string, options: TextOptions = {}): PropertyDecorator {
  return Text(about, { ...options, identifies: true });
}

function textConstraints(
  { minLength, maxLength, format, ...options }: TextOptions,
  refuseBlank: boolean,
): Constraint[] {
  const identifies = options.identifies === true;
  const constraints: Constraint[] = [{ name: 'text' }];
  if (refuseBlank) constraints.push({ name: 'notBlank' });
  if (identifies) constraints.push({ name: 'visible' });
  if (minLength !== undefined) constraints.push({ name: 'minLength', min: minLength, identifies });
  if (maxLength !== undefined) constraints.push({ name: 'maxLength', max: maxLength, identifies });
  if (format) constraints.push({ name: 'format', format, identifies });
  return constraints;
}

/** Maximum number of characters of an identifier by which accounts are looked up. */
const MAX_IDENTIFIER_LENGTH = 128;

/**
 * An identifier: text in its one spelling (see `normalizeIdentifier`) without invisible characters, or a safe integer.
 * `.` and `..` are rejected, because they cannot be in the path of a URL. A blank identifier counts as absent if the field
 * is optional.
 */
export function Identifier(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [
    ...identifierConstraints(options),
    { name: 'maxLength', max: MAX_IDENTIFIER_LENGTH, identifies: true },
  ]);
}

/** An {@link Identifier} of any length, of a part of an account. */
export function PartIdentifier(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, identifierConstraints(options));
}

function identifierConstraints({ required }: FieldOptions): Constraint[] {
  return [
    { name: 'identifier' },
    ...(required ? [{ name: 'notBlank' } as const] : []),
    { name: 'visible' },
    { name: 'notDotSegment' },
  ];
}

/** Options of a choice: its default and its example are among its values. */
export interface ChoiceOptions<Value extends string> extends FieldOptions {
  readonly default?: NoInfer<Value>;
  readonly example?: NoInfer<Value>;
}

/**
 * One of the published values, exactly as written. If "" is one of them, it counts as absent. The type of the property is
 * that of the values, `(typeof VALUES)[number]`: with `string` it does not compile.
 */
export function Choice<const Value extends string>(
  about: string,
  values: readonly Value[],
  options: ChoiceOptions<Value> = {},
): <Name extends string>(target: Partial<Record<Name, Value | null>>, property: Name) => void {
  return field(about, options, choiceConstraints(values));
}

function choiceConstraints(values: readonly string[]): Constraint[] {
  return [{ name: 'storable' }, { name: 'isIn', values }];
}

/** true or false; numbers and texts are rejected. */
export function Flag(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'isBoolean' }]);
}

/** Options of an integer; `min` and `max` are inclusive. */
export interface IntegerOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number, sent as a JSON number or as text; converted to a number. */
export function Integer(about: string, options: IntegerOptions = {}): PropertyDecorator {
  const { min, max } = options;
  const constraints: Constraint[] = [{ name: 'shortNumeral' }, { name: 'isInt' }];
  if (min !== undefined) constraints.push({ name: 'min', min });
  if (max !== undefined) constraints.push({ name: 'max', max });
  return field(about, options, constraints);
}

/** Options of a decimal. */
export interface DecimalOptions extends FieldOptions {
  /** Maximum number of digits before the point, 10 by default. */
  readonly whole?: number;
  /** Maximum number of digits after the point, 10 by default. */
  readonly places?: number;
}

/**
 * A decimal, sent as a JSON number or as text; converted to canonical decimal text and never rounded. Zeros after the
 * last permitted decimal do not count.
 */
export function Decimal(about: string, options: DecimalOptions = {}): PropertyDecorator {
  return field(about, options, decimalConstraints(options));
}

function decimalConstraints({ whole = 10, places = 10 }: DecimalOptions): Constraint[] {
  return [
    { name: 'shortNumeral' },
    { name: 'isDecimal' },
    { name: 'digits', whole, places },
    { name: 'places', places },
    { name: 'wholeDigits', whole },
  ];
}

const MONEY = { whole: 10, places: 2 } as const;

/** An amount in major currency units: at most 10 digits before the point and 2 after. */
export function Money(about: string, options: FieldOptions = {}): PropertyDecorator {
  return Decimal(about, { ...options, ...MONEY });
}

/** {@link Money} above zero. */
export function PositiveMoney(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [...decimalConstraints({ ...options, ...MONEY }), { name: 'isPositive' }]);
}

/** A day, YYYY-MM-DD. */
export function CalendarDate(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'dateWithoutTime' }, { name: 'date' }]);
}

/**
 * A moment: a datetime of RFC 3339, or a date, which stands for the start of that day in the supplier's time zone.
 * Converted to YYYY-MM-DDTHH:MM:SSZ.
 */
export function Moment(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'datetime' }]);
}

/** A time of day, HH:MM or HH:MM:SS. */
export function TimeOfDay(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'time' }]);
}

/** A value that `parser` reads. Null counts as absent unless the field is nullable. */
export function Parsed(about: string, parser: ValueParser, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'parsed', parser }]);
}

/** Any JSON value. */
export function Json(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'json' }]);
}

/** A JSON object with keys of the sender's choice. */
export function Dictionary(about: string, options: FieldOptions = {}): PropertyDecorator {
  return field(about, options, [{ name: 'dictionary' }, { name: 'json' }]);
}

/** An object of a contract class or of a union. */
export function Nested(about: string, shape: Shape, options: FieldOptions = {}): PropertyDecorator {
  return objectField(about, options, [{ name: 'object', shape }], shape);
}

/** Options of a list; `arrayMinSize` is its minimum number of members. */
export interface ListOptions extends FieldOptions {
  readonly arrayMinSize?: number;
}

/** A list of objects of a contract class or of a union. */
export function ListOf(about: string, shape: Shape, options: ListOptions = {}): PropertyDecorator {
  const constraints = [...listConstraints(options), { name: 'itemsObjects', shape } as const];
  return objectField(about, options, constraints, shape);
}

/** A list of texts that are not blank. */
export function ListOfTexts(
  about: string,
  options: ListOptions & { readonly item?: Omit<TextOptions, keyof FieldOptions> } = {},
): PropertyDecorator {
  return field(about, options, listConstraints(options), textConstraints(options.item ?? {}, true));
}

/** A list of published values. */
export function ListOfChoices(
  about: string,
  values: readonly string[],
  options: ListOptions = {},
): PropertyDecorator {
  return field(about, options, listConstraints(options), choiceConstraints(values));
}

/** A list of decimals. */
export function ListOfDecimals(about: string, options: ListOptions & DecimalOptions): PropertyDecorator {
  return field(about, options, listConstraints(options), decimalConstraints(options));
}

function listConstraints({ arrayMinSize }: ListOptions): Constraint[] {
  const constraints: Constraint[] = [{ name: 'isArray' }];
  if (arrayMinSize !== undefined) constraints.push({ name: 'arrayMinSize', min: arrayMinSize });
  constraints.push({ name: 'itemsNotNull' });
  return constraints;
}

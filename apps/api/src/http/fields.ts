import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  type FieldOptions,
  ListOfChoices,
  Nested,
  Parsed,
  type ValueParser,
} from '@portage/account-schema/service';
import { buildSupplierError, supplierCodeOf } from '@portage/tenants';
import { SchemaKeywords } from '../openapi/schema-keywords';

/*
 * The decorators of query parameters, and of the members of small bodies. Each declares how a value is read, the error
 * for a value that is not valid, and the property of the OpenAPI document.
 */

/** Options of a field. It is optional unless it is `required`. */
export interface FieldDeclaration extends Pick<FieldOptions, 'required' | 'nullable' | 'default'> {
  description?: string;
  /** The detail of the error, instead of the ordinary one. */
  detail?: string;
}

/** A field that `parser` reads, and its schema. */
export function Field(
  parser: ValueParser,
  schema: ApiPropertyOptions,
  { description, detail, ...options }: FieldDeclaration,
): PropertyDecorator {
  return (target, property) => {
    // The pipe refuses other members of a body.
    SchemaKeywords({ additionalProperties: false })(target.constructor);
    Parsed(description ?? '', { ...parser, detail: detail ?? parser.detail }, options)(target, property);
    ApiProperty({
      ...schema,
      ...(description === undefined ? {} : { description }),
      ...(options.default === undefined ? {} : { default: options.default }),
      ...(options.nullable ? { nullable: true } : {}),
      required: options.required ?? schema.required ?? false,
    } as ApiPropertyOptions)(target, property);
  };
}

/** A text of 1 to `max` characters. The document lists `choices`, which the use case checks. */
export function TextField({
  max = 256,
  choices,
  ...field
}: FieldDeclaration & { max?: number; choices?: readonly string[] } = {}): PropertyDecorator {
  const schema: ApiPropertyOptions = choices
    ? { type: 'string', enum: [...choices] }
    : { type: 'string', minLength: 1, ...(max === Infinity ? {} : { maxLength: max }) };
  return Field(textParser(max), schema, field);
}

function textParser(max: number): ValueParser {
  return {
    code: 'invalid',
    missingCode: 'required',
    detail: `Enter a text of 1 to ${max} characters.`,
    parse: (value: unknown) =>
      typeof value === 'string' && value !== '' && value.length <= max && !value.includes('\0')
        ? value
        : undefined,
  };
}

/** The required query parameter with the code of an import supplier. */
export function SupplierField(): PropertyDecorator {
  const parser = {
    code: 'required',
    missingCode: 'required',
    detail: 'supplier must be one import supplier code.',
    parse: (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined),
  };
  return Field(parser, { type: 'string' }, { required: true, description: 'Import supplier code' });
}

/** The required member of a body with the code of an import supplier. The use case looks it up. */
export function ImportSupplierField(): PropertyDecorator {
  const { code, detail } = buildSupplierError(undefined);
  const parser = {
    code,
    missingCode: code,
    detail,
    parse: (value: unknown) => supplierCodeOf({ import_supplier: value }),
  };
  return Field(parser, { type: 'string' }, { required: true, description: 'Import supplier code' });
}

/** One of a few texts. */
export function ChoiceField(choices: readonly string[], field: FieldDeclaration = {}): PropertyDecorator {
  const parser = {
    code: 'invalid_choice',
    missingCode: 'invalid_choice',
    detail: `Enter one of ${choices.join(', ')}.`,
    parse: (value: unknown) => choices.find((choice) => choice === value),
  };
  return Field(parser, { type: 'string', enum: [...choices] }, field);
}

/**
 * One or more of a few texts, as a list in the order of `choices`. The parameter may be repeated, and may list values
 * with commas.
 */
export function ChoicesField(choices: readonly string[], field: FieldDeclaration = {}): PropertyDecorator {
  return (target, property) => {
    const parser = {
      code: 'invalid_choice',
      detail: `${String(property)} must be one or more of ${choices.join(', ')}.`,
      parse: (value: unknown) => {
        const names = splitNames(value);
        return names.every((name) => choices.includes(name))
          ? choices.filter((choice) => names.includes(choice))
          : undefined;
      },
    };
    Field(parser, { type: 'string', enum: [...choices], isArray: true }, field)(target, property);
  };
}

/** A list of a body: one or more of a few texts. Null counts as absent. */
export function ChoiceListField(choices: readonly string[], description: string): PropertyDecorator {
  return (target, property) => {
    ListOfChoices(description, choices, { arrayMinSize: 1, nullable: true })(target, property);
    ApiPropertyOptional({
      type: 'string',
      enum: [...choices],
      isArray: true,
      minItems: 1,
      nullable: true,
      description,
    })(target, property);
  };
}

/** The values of a parameter that may be repeated and may list values with commas. */
export function splitNames(value: unknown): string[] {
  return [value].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : ['']));
}

/** A whole number, as a JSON number or as text. */
export function IntegerField({
  min,
  max,
  ...field
}: FieldDeclaration & { min: number; max: number }): PropertyDecorator {
  const parser = {
    code: 'invalid',
    detail: `Enter a whole number from ${min} to ${max}.`,
    parse: (value: unknown) => {
      const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
      const isValid =
        typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
      return isValid ? number : undefined;
    },
  };
  return Field(parser, { type: 'integer', minimum: min, maximum: max }, field);
}

/** The most rows of an answer. */
export function LimitField(
  max: number,
  field: Pick<FieldDeclaration, 'default' | 'description'>,
): PropertyDecorator {
  const detail = `limit must be a whole number from 1 to ${max}.`;
  return IntegerField({ min: 1, max, detail, ...field });
}

/** A flag of a body: true or false. */
export function FlagField(field: FieldDeclaration = {}): PropertyDecorator {
  const parser = {
    code: 'invalid',
    missingCode: 'required',
    detail: 'Enter true or false.',
    parse: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  };
  return Field(parser, { type: 'boolean' }, field);
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** A flag of a query: `true`, `1`, `false` or `0`. */
export function QueryFlag(field: FieldDeclaration = {}): PropertyDecorator {
  return (target, property) => {
    const parser = {
      code: 'invalid',
      detail: `${String(property)} must be true, false, 1 or 0, once.`,
      parse: (value: unknown) =>
        typeof value === 'string' && Object.hasOwn(FLAGS, value) ? FLAGS[value] : undefined,
    };
    Field(parser, { type: 'boolean' }, field)(target, property);
  };
}

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A moment, as a Date. */
export function MomentField(field: FieldDeclaration = {}): PropertyDecorator {
  const parser = {
    code: 'invalid',
    detail: 'Enter a moment such as 2026-11-21T08:30:00Z.',
    parse: (value: unknown) => {
      const date = typeof value === 'string' && MOMENT.test(value) ? new Date(value) : undefined;
      return date && !Number.isNaN(date.getTime()) ? date : undefined;
    },
  };
  return Field(parser, { type: 'string', format: 'date-time' }, field);
}

/** The id of a row. */
export function IdField(field: FieldDeclaration = {}): PropertyDecorator {
  const parser = {
    code: 'invalid',
    detail: 'Enter an id.',
    parse: (value: unknown) =>
      typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value) ? value : undefined,
  };
  return Field(parser, { type: 'string' }, field);
}

/** A text of any form, which the use case reads. */
export function AnyTextField({
  schema,
  ...field
}: FieldDeclaration & { schema?: ApiPropertyOptions } = {}): PropertyDecorator {
  const parser = {
    code: 'invalid',
    detail: 'Enter a text.',
    parse: (value: unknown) => (typeof value === 'string' ? value : undefined),
  };
  return Field(parser, { type: 'string', ...schema }, field);
}

/** What an operator has typed to confirm an action. The handler answers `confirmation_required` without it. */
export function ConfirmationField(description: string): PropertyDecorator {
  return Field(textParser(256), { type: 'string', required: true }, { description });
}

/** A member that the use case reads. */
export function UnreadField(): PropertyDecorator {
  return Field({ code: 'invalid', detail: '', parse: (value) => value }, {}, {});
}

/** An object of a class with fields of its own. The document has the schema of another class if one is given. */
export function ObjectField(
  type: new () => object,
  { schemaOf = type, ...field }: FieldDeclaration & { schemaOf?: new () => object } = {},
): PropertyDecorator {
  return (target, property) => {
    Nested(field.description ?? '', type, field)(target, property);
    ApiProperty({
      type: schemaOf,
      required: field.required ?? false,
      ...(field.nullable ? { nullable: true } : {}),
    })(target, property);
  };
}

/** Settings by name, as `name=value`, the form in which the command line has them. Null is `name=`. */
export function NamedValuesField(field: FieldDeclaration = {}): PropertyDecorator {
  const parser = {
    code: 'invalid',
    detail: 'Enter an object of texts, numbers, true, false and null.',
    parse: toNamedValues,
  };
  const values = { type: ['string', 'number', 'boolean', 'null'] } as object;
  return Field(parser, { type: 'object', additionalProperties: values }, field);
}

/** The members of an object as `name=value`; undefined unless all are texts, numbers, flags or null. */
export function toNamedValues(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value) as [string, unknown][];
  const isValid = entries.every(
    ([, one]) => one === null || ['string', 'number', 'boolean'].includes(typeof one),
  );
  if (!isValid) return undefined;
  return entries.map(
    ([name, one]) => `${name}=${one === null ? '' : String(one as string | number | boolean)}`,
  );
}

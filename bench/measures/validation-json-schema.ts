import { Account } from '@portage/account-schema';
import { INVISIBLE_CHARACTER } from '@portage/text';
import { Ajv, type FormatDefinition, type ValidateFunction } from 'ajv';
import { Fault } from '../../libs/account-schema/src/compiler/fault';
import type { Pass } from '../../libs/account-schema/src/compiler/pass';
import type { Reader } from '../../libs/account-schema/src/compiler/reader';
import { constraintsOf } from '../../libs/account-schema/src/compiler/constraints';
import {
  readDate,
  readMomentOfPass,
  readTime,
} from '../../libs/account-schema/src/compiler/readers/calendar';
import type { Constraint } from '../../libs/account-schema/src/vocabulary/constraint';
import { isUnion, type ObjectType, type Shape } from '../../libs/account-schema/src/vocabulary/shape';

type Schema = Record<string, unknown>;

/** What calendar readers need of a validation. */
const PASS = { timeZone: 'Europe/London' } as Pass;

const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';
const VISIBLE = `^(?!.*${INVISIBLE_CHARACTER})`;

/** Validates the fields of an account with ajv. */
export function ajvValidator(): ValidateFunction {
  const { schema, formats } = jsonSchemaOf(Account);
  const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false, formats });
  return ajv.compile(schema);
}

/**
 * Converts the constraints of a class to a JSON schema for ajv: types, presence, limits, choices, unions, and formats
 * with the same functions. In favour of ajv it omits the other work of compiled validation: conversion, listing
 * undocumented fields, and checking free JSON.
 */
function jsonSchemaOf(type: ObjectType): {
  schema: Schema;
  formats: Record<string, FormatDefinition<string>>;
} {
  const definitions: Record<string, Schema> = {};
  const formats: Record<string, FormatDefinition<string>> = {
    date: { validate: accepts(readDate) },
    datetime: { validate: accepts(readMomentOfPass) },
    time: { validate: accepts(readTime) },
  };

  const reference = (shape: Shape): Schema => {
    if (!(shape.name in definitions)) {
      definitions[shape.name] = {};
      definitions[shape.name] = isUnion(shape)
        ? {
            type: 'object',
            required: [shape.discriminator],
            discriminator: { propertyName: shape.discriminator },
            oneOf: Object.values(shape.variants).map(reference),
          }
        : objectSchema(shape);
    }
    return { $ref: `#/definitions/${shape.name}` };
  };

  const objectSchema = (one: ObjectType): Schema => {
    const fields = constraintsOf(one);
    const required = fields.filter(({ constraints }) => constraints.some(({ name }) => name === 'present'));
    return {
      type: 'object',
      required: required.map(({ property }) => property),
      properties: Object.fromEntries(
        fields.map(({ property, constraints, items }) => [property, propertySchema(constraints, items)]),
      ),
    };
  };

  const propertySchema = (constraints: readonly Constraint[], items: readonly Constraint[]): Schema => {
    const nullable = !constraints.some(({ name }) => name === 'notNull');
    const schema = merged(constraints);
    if (items.length > 0) schema['items'] = merged(items);
    if (!nullable || Object.keys(schema).length === 0) return schema;
    if (schema['$ref'] !== undefined) return { anyOf: [{ type: 'null' }, schema] };
    return { ...schema, type: [...[schema['type']].flat(), 'null'] };
  };

  const merged = (constraints: readonly Constraint[]): Schema =>
    Object.assign({}, ...constraints.map(keywords)) as Schema;

  const keywords = (constraint: Constraint): Schema => {
    switch (constraint.name) {
      case 'text':
      case 'identifier':
        return { type: ['string', 'number'], pattern: STORABLE };
      case 'visible':
        return { pattern: VISIBLE };
      case 'notBlank':
        return { minLength: 1 };
      case 'minLength':
        return { minLength: constraint.min };
      case 'maxLength':
        return { maxLength: constraint.max };
      case 'format': {
        const { format } = constraint;
        if (format.profile) return {};
        formats[format.expected] = {
          validate: (text) => text === '' || format.read(text, 'GB') !== undefined,
        };
        return { format: format.expected };
      }
      case 'isIn':
        return { type: 'string', enum: [...constraint.values] };
      case 'isBoolean':
        return { type: 'boolean' };
      case 'isInt':
        return { type: ['integer', 'string'], pattern: '^[+-]?\\d+$' };
      case 'min':
        return { minimum: constraint.min };
      case 'max':
        return { maximum: constraint.max };
      case 'digits':
        return {
          type: ['string', 'number'],
          pattern: `^[+-]?\\d{0,${constraint.whole}}(?:\\.\\d{0,${constraint.places}}0*)?$`,
        };
      case 'date':
      case 'datetime':
      case 'time':
        return { type: 'string', format: constraint.name };
      case 'dictionary':
        return { type: 'object' };
      case 'isArray':
        return { type: 'array', maxItems: 10_000 };
      case 'arrayMinSize':
        return { minItems: constraint.min };
      case 'itemsObjects':
        return { items: reference(constraint.shape) };
      case 'object':
        return reference(constraint.shape);
      default:
        return {};
    }
  };

  return { schema: { ...reference(type), definitions }, formats };
}

/** Lets ajv use the fast format functions of compiled validation, so that the ratio compares only the two compilers. */
function accepts(read: Reader): (text: string) => boolean {
  return (text) => !(read(text, PASS) instanceof Fault);
}

import { type PropertyConstraints, constraintsOf } from '../compiler/constraints';
import { aboutOf, type FieldDescription, fieldsOf } from '../vocabulary/description';
import { isUnion, type ObjectType, type Shape, type Union } from '../vocabulary/shape';
import { contractShapes } from './contract-shapes';
import { exampleOf, exampleValue } from './example';
import { PossibleErrors } from './possible-errors';
import { valueSchema } from './value-schema';

/** A schema object of OpenAPI 3.1, which is one of JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

/**
 * `components.schemas` of OpenAPI 3.1 for all bodies of the contract and the classes inside them, by class name.
 * Generated from the same decorators that validate, so that the two cannot differ.
 */
export function openApiSchemas(): Record<string, object> {
  const schemas: Record<string, object> = {};
  const errors = new PossibleErrors();
  for (const shape of contractShapes())
    schemas[shape.name] = isUnion(shape) ? unionSchema(shape) : objectSchema(shape, errors);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unionSchema({ about, discriminator, variants }: Union): JsonSchema {
  const types = Object.entries(variants);
  return {
    description: about,
    oneOf: types.map(([, type]) => reference(type)),
    discriminator: {
      propertyName: discriminator,
      mapping: Object.fromEntries(types.map(([value, type]) => [value, reference(type).$ref])),
    },
  };
}

function objectSchema(type: ObjectType, errors: PossibleErrors): JsonSchema {
  const descriptions = fieldsOf(type);
  const declared = constraintsOf(type);
  const required = declared
    .map(({ property }) => property)
    .filter((name) => descriptions.get(name)?.required);
  return {
    type: 'object',
    description: aboutOf(type),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      declared.map((one) => [
        one.property,
        propertySchema(one, descriptions.get(one.property), errors.codesOf(type, one)),
      ]),
    ),
    examples: [exampleOf(type)],
  };
}

function propertySchema(
  declared: PropertyConstraints,
  description: FieldDescription | undefined,
  codes: readonly string[],
): JsonSchema {
  const schema = valueSchema(declared, reference);
  const example = holdsObjects(declared)
    ? undefined
    : (description?.example ?? exampleValue(declared.constraints, declared.items));
  return {
    ...(description?.nullable ? orNull(schema) : schema),
    description: descriptionOf(description),
    ...(description?.deprecated ? { deprecated: true } : {}),
    ...(description?.default === undefined ? {} : { default: description.default }),
    ...(description?.tier ? { 'x-tier': description.tier } : {}),
    ...(description?.list ? { 'x-list': description.list } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(codes.length > 0 ? { 'x-possible-errors': codes } : {}),
  };
}

/** The schema that accepts null besides. */
function orNull(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  const { type, enum: choices, anyOf, ...rest } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    type: [type, 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
    ...rest,
  };
}

function holdsObjects({ constraints }: PropertyConstraints): boolean {
  return constraints.some(({ name }) => name === 'object' || name === 'itemsObjects');
}

function descriptionOf(description: FieldDescription | undefined): string {
  const about = description?.description ?? '';
  return typeof description?.deprecated === 'string'
    ? `${about} Use \`${description.deprecated}\` instead.`
    : about;
}

function reference({ name }: Shape): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema object of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer' };
export const number: Schema = { type: 'number' };
/** A moment: ISO 8601 in UTC. */
export const moment: Schema = { type: 'string', format: 'date-time' };

/** A schema with a description. */
export const described = (schema: Schema, description: string): Schema => ({ ...schema, description });

/** The reference to a schema of the document. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The schema, or null. */
export function nullable(schema: Schema): Schema {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  const { enum: choices } = schema as { enum?: readonly unknown[] };
  return { ...schema, type: [schema['type'], 'null'], ...(choices ? { enum: [...choices, null] } : {}) };
}

/** One of a few texts. */
export const oneOf = (choices: readonly string[]): Schema => ({ type: 'string', enum: [...choices] });

/** A list. */
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object whose members are all present, except those in `optional`. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

/** A request body: unknown members are refused. */
export function bodyOf(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  return { ...objectOf(properties, optional), additionalProperties: false };
}

/** A page of a list. */
export const pageOf = (name: string): Schema =>
  objectOf({
    items: listOf(ref(name)),
    next_cursor: described(nullable(text), 'Pass it as `cursor` to read on. Null at the end.'),
  });

import { openApiSchemas } from '@portage/account-schema';

interface Schema {
  $ref?: string;
  type?: string | string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

/** What a field of the contract holds. */
export type FieldType =
  | { is: 'object'; fields: ReadonlyMap<string, () => FieldType> }
  | { is: 'list'; items: FieldType }
  | { is: 'text' | 'flag' | 'integer' | 'json' };

let schemas: Record<string, Schema> | undefined;

/** The fields of the account, from the classes that validate it. */
export function accountFields(): Extract<FieldType, { is: 'object' }> {
  return typeOf({ $ref: '#/components/schemas/Account' }) as Extract<FieldType, { is: 'object' }>;
}

function typeOf(given: Schema): FieldType {
  const schema = resolve(given);
  // Unions, and values that may be null.
  const choices = (schema.oneOf ?? schema.anyOf ?? []).map(resolve).filter(({ type }) => type !== 'null');
  const objects = [schema, ...choices].map(({ properties }) => properties).filter((one) => one !== undefined);
  const nested = choices.length === 1 ? (choices[0] as Schema) : undefined;
  if (nested !== undefined) return typeOf(nested);
  if (objects.length > 0) return { is: 'object', fields: fieldsOf(objects) };
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) return { is: 'list', items: typeOf(schema.items ?? {}) };
  if (types.includes('boolean')) return { is: 'flag' };
  if (types.includes('integer')) return { is: 'integer' };
  return { is: types.includes('object') ? 'json' : 'text' };
}

/** The fields of an object, or those of all variants of a union. */
function fieldsOf(objects: readonly Record<string, Schema>[]): Map<string, () => FieldType> {
  const fields = new Map<string, () => FieldType>();
  for (const properties of objects)
    for (const [name, schema] of Object.entries(properties)) {
      if (!fields.has(name)) fields.set(name, () => typeOf(schema));
    }
  return fields;
}

function resolve(schema: Schema): Schema {
  schemas ??= openApiSchemas();
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

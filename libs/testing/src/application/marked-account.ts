import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS, openApiSchemas, type SchemaContext, validateAccount } from '@portage/account-schema';
import { REPOSITORY } from '../built-programs';

/** Matches every marked text and no other text. */
export const MARKER = /zqmk\d/i;

interface Schema {
  $ref?: string;
  type?: string | string[];
  items?: Schema;
  properties?: Properties;
  oneOf?: Schema[];
  anyOf?: Schema[];
}
type Properties = Record<string, Schema>;
type Json = Record<string, unknown>;

const CONTEXT: SchemaContext = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  now: new Date(),
  timeZone: 'Europe/London',
  limits: DEFAULT_LIMITS,
};
const EXAMPLE = join(REPOSITORY, 'libs/account-schema/test/examples/01-domestic-dual-fuel.json');
const MAX_DEPTH = 6;

let next = 0;
export const mark = (): string => `Zqmk${next++}`;

/** Markers for text fields: any text, or an e-mail address. */
const marks = [mark, () => `${mark()}@example.org`];

const schemas = openApiSchemas() as Record<string, Schema>;
function schemaOf({ $ref, ...own }: Schema): Schema {
  const schema: Schema = $ref ? schemas[$ref.split('/').at(-1)!]! : own;
  // A field that accepts null has two types, or null beside its schema.
  const nonNull = schema.anyOf?.find(({ type }) => type !== 'null');
  if (nonNull) return schemaOf(nonNull);
  // A union gets the fields of all its members. Values that make the account invalid are removed again.
  return schema.oneOf
    ? { properties: Object.assign({}, ...schema.oneOf.map((one) => schemaOf(one).properties)) as Properties }
    : schema;
}

/**
 * An account with every field of the contract that the rules allow together, and a marker in every free text. Account
 * number and identifier have no marker, because they may be logged.
 */
export function markedAccount(number: string): Json {
  const account: Json = {
    ...(JSON.parse(readFileSync(EXAMPLE, 'utf8')) as Json),
    import_supplier: 'LEGACY',
    external_account_number: number,
    external_identifier: number,
  };
  const isValid = () => validateAccount(account, CONTEXT).ok;
  if (!isValid()) throw new Error('The example that markers are put into is not valid.');
  fill(account, schemas['Account']!, isValid, 0);
  account[`undocumented_${mark()}`] = { text: mark() };
  return account;
}

/** Fills every field of `node` with a value that keeps the account valid, a marked text where possible. */
function fill(node: Json, { properties = {} }: Schema, isValid: () => boolean, depth: number): void {
  for (const [name, property] of Object.entries(properties)) {
    if (['import_supplier', 'external_account_number', 'external_identifier'].includes(name)) continue;
    const schema = schemaOf(property);
    if (hasType(schema, 'array')) {
      const items = schemaOf(schema.items ?? {});
      if (node[name] === undefined && depth < MAX_DEPTH)
        for (const item of items.properties ? [{}] : marks.map((one) => one()))
          if (keep(node, name, [completed(item, items)], isValid)) break;
      const list = node[name];
      if (Array.isArray(list))
        for (const [index, item] of list.entries())
          if (typeof item === 'object') fill(item as Json, items, isValid, depth + 1);
          else marks.some((one) => keep(list as unknown as Json, String(index), one(), isValid));
    } else if (schema.properties) {
      if (node[name] === undefined && depth < MAX_DEPTH) keep(node, name, completed({}, schema), isValid);
      if (node[name] !== undefined) fill(node[name] as Json, schema, isValid, depth + 1);
    } else if (hasType(schema, 'string')) marks.some((one) => keep(node, name, one(), isValid));
  }
}

function hasType({ type }: Schema, name: string): boolean {
  return [type].flat().includes(name);
}

/** An object with the fields of its example, so that it has the required ones. */
function completed(item: unknown, schema: Schema): unknown {
  return typeof item === 'object'
    ? structuredClone((schema as { examples?: unknown[] }).examples?.[0] ?? item)
    : item;
}

function keep(node: Json, name: string, value: unknown, isValid: () => boolean): boolean {
  const before = node[name];
  node[name] = value;
  if (isValid()) return true;
  if (before === undefined) Reflect.deleteProperty(node, name);
  else node[name] = before;
  return false;
}

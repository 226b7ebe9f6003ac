import {
  Account,
  NotesRequest,
  openApiSchemas,
  PaymentInstructionRequest,
  StatementsRequest,
  TransactionsRequest,
} from '@portage/account-schema';
import type { AdditionKind } from '../book/book-line';

interface Schema {
  $ref?: string;
  type?: string | string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
  enum?: (string | null)[];
  description?: string;
}

/** What the contract says about a value besides its type. */
export interface ValueFacts {
  readonly description: string;
  /** The texts that it may have, if they are a list. */
  readonly choices: readonly string[] | undefined;
  readonly isDay: boolean;
  /** True for exact decimal text. */
  readonly isDecimal: boolean;
}

/** What a field of the contract holds. */
export type FieldType =
  | {
      is: 'object';
      /** Its name in the documents of the API, if it has one. */
      name: string | undefined;
      fields: ReadonlyMap<string, () => FieldType>;
      required: readonly string[];
    }
  | { is: 'list'; items: FieldType }
  | { is: ScalarType; facts?: ValueFacts };

/** How the text of a value becomes JSON. */
export type ScalarType = 'text' | 'flag' | 'integer' | 'json';

/** What a line of a book is: an account, or a kind of addition. */
export type RequestKind = 'account' | AdditionKind;

/** The classes that validate the lines of books. */
export const BODIES = {
  account: Account,
  notes: NotesRequest,
  transactions: TransactionsRequest,
  historical_statements: StatementsRequest,
  payment_instruction: PaymentInstructionRequest,
} as const satisfies Record<RequestKind, new () => object>;

let schemas: Record<string, Schema> | undefined;

/** The fields of an account or of the body of an addition, from the class that validates it. */
export function bodyFields(request: RequestKind): Extract<FieldType, { is: 'object' }> {
  const schema = { $ref: `#/components/schemas/${BODIES[request].name}` };
  return typeOf(schema) as Extract<FieldType, { is: 'object' }>;
}

function typeOf(given: Schema): FieldType {
  const schema = resolve(given);
  // Unions, and values that may be null.
  const options = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const choices = options.map(resolve);
  const variants = [schema, ...choices].filter(({ properties }) => properties !== undefined);
  const [nested] = options;
  if (nested !== undefined && options.length === 1)
    return typeOf({ ...nested, description: schema.description ?? '' });
  if (variants.length > 0)
    return {
      is: 'object',
      name: nameOf(given),
      fields: fieldsOf(variants),
      required: requiredOf(variants),
    };
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) return { is: 'list', items: typeOf(schema.items ?? {}) };
  const facts = factsOf(schema, choices);
  if (types.includes('boolean')) return { is: 'flag', facts };
  if (types.includes('integer')) return { is: 'integer', facts };
  return { is: types.includes('object') ? 'json' : 'text', facts };
}

function factsOf(schema: Schema, choices: readonly Schema[]): ValueFacts {
  return {
    description: schema.description ?? '',
    choices: schema.enum?.filter((choice) => choice !== null && choice !== '') as string[] | undefined,
    isDay: [schema, ...choices].some(({ format }) => format === 'date'),
    isDecimal: choices.some(({ type }) => type === 'number'),
  };
}

/** The fields that all variants require. */
function requiredOf(variants: readonly Schema[]): string[] {
  const [first, ...others] = variants.map(({ required = [] }) => required) as [string[], ...string[][]];
  return first.filter((name) => others.every((required) => required.includes(name)));
}

/** The fields of an object, or those of all variants of a union. */
function fieldsOf(variants: readonly Schema[]): Map<string, () => FieldType> {
  const fields = new Map<string, () => FieldType>();
  for (const { properties = {} } of variants)
    for (const [name, schema] of Object.entries(properties)) {
      if (!fields.has(name)) fields.set(name, () => typeOf(schema));
    }
  return fields;
}

function resolve(schema: Schema): Schema {
  schemas ??= openApiSchemas();
  const name = nameOf(schema);
  return name === undefined ? schema : (schemas[name] ?? {});
}

function nameOf(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { core, gbEnergy } from '../test/context';
import { EDGE_VALUES, valuesOf } from '../test/payloads';
import { type StockVerdict, stockVerdicts } from '../test/stock';
import { constraintsOf } from './compiler/constraints';
import type { SchemaContext } from './context';
import { Account } from './contract/account';
import { contractClasses } from './openapi/contract-shapes';
import { exampleOf } from './openapi/example';
import { validateObject } from './validate';
import { codeOf } from './vocabulary/constraint';
import { isObject } from './vocabulary/json';
import type { ObjectType } from './vocabulary/shape';

/** Paths inside free JSON, which class-validator can only report for the whole field. */
const FREE_JSON =
  /^((?:.*\.)?(?:value|details(?!\.\d+(?:\.(?:key|value))?$)|params|additional_data|structured_street_address))\..*$/;

interface Compiled {
  readonly codes: Set<string>;
  /** True for errors of list members, which class-validator reports for the list. */
  readonly ofItems: boolean;
}

function compiledVerdicts(
  type: ObjectType,
  payload: unknown,
  context: SchemaContext,
  stock: ReadonlyMap<string, StockVerdict>,
): Map<string, Compiled> {
  const result = validateObject(type, payload, context);
  const verdicts = new Map<string, Compiled>();
  const isUndocumented = (attr: string): boolean =>
    result.ignoredFields.some((path) => attr === path || attr.startsWith(`${path}.`));
  for (const { attr, code } of result.ok ? [] : result.errors) {
    // class-validator does not see undocumented fields.
    if (isUndocumented(attr)) continue;
    const place = attr.replace(/\.non_field_errors$/, '');
    const json = place.replace(FREE_JSON, '$1');
    const isInJson = json !== place && stock.has(json);
    const ofItems = !isInJson && /\.\d+$/.test(place);
    const path = isInJson ? json : place.replace(/\.\d+$/, '');
    const codes = verdicts.get(path)?.codes ?? new Set();
    verdicts.set(path, { codes: codes.add(code), ofItems });
  }
  const lists = [...verdicts].filter(([, { ofItems }]) => ofItems).map(([path]) => `${path}.`);
  for (const path of verdicts.keys()) {
    // class-validator validates the members of a list only if all of them are objects.
    if (lists.some((list) => path.startsWith(list))) verdicts.delete(path);
  }
  return verdicts;
}

/** Compares the two under both profiles. @returns the codes of class-validator, each behind its path */
function compare(type: ObjectType, payload: unknown): string[] {
  const stockOf = stockVerdicts(type, payload);
  return [core, gbEnergy].flatMap((context) => {
    const stock = stockOf(context.profile);
    const compiled = compiledVerdicts(type, payload, context, stock);
    const found = [...new Set([...stock.keys(), ...compiled.keys()])]
      .filter((path) => !agree(stock.get(path), compiled.get(path)))
      .map((path) => `${path}: ${stock.get(path)?.code} / ${[...(compiled.get(path)?.codes ?? [])].join()}`);
    if (found.length > 0) throw new Error(`${found.join('; ')} in ${JSON.stringify(payload)}`);
    return [...stock].flatMap(([path, { codes }]) => [...codes].map((code) => `${path} ${code}`));
  });
}

function agree(stock: StockVerdict | undefined, compiled: Compiled | undefined): boolean {
  if (!stock || !compiled || !compiled.codes.has(stock.code)) return false;
  return compiled.ofItems
    ? [...compiled.codes].every((code) => stock.codes.has(code))
    : compiled.codes.size === 1;
}

/** Payloads that together give every field of a class every one of its values. */
function* payloadsOf(type: ObjectType): Generator<Record<string, unknown>> {
  const fields = constraintsOf(type).map((field) => [field.property, valuesOf(field)] as const);
  const count = Math.max(...fields.map(([, values]) => values.length));
  for (let i = 0; i < count; i += 1) {
    const given = fields.filter(([, values]) => i < values.length);
    const entries = given.map(([property, values]) => [property, values[i]] as const);
    yield { ...Object.fromEntries(entries), undocumented: EDGE_VALUES[i % EDGE_VALUES.length] };
  }
}

/** Values of all types, for whole accounts. Each field has been compared with every value before. */
const MIXED_VALUES = [null, true, [], {}, [{}], undefined, 1.5, '', ' x ', '2024-02-30'];

/** A copy of JSON, with another value in place of each text, number, boolean and null. */
function withValues(json: unknown, value: unknown): unknown {
  if (Array.isArray(json)) return json.map((item) => withValues(item, value ?? null));
  if (!isObject(json)) return value;
  return Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, withValues(inner, value)]));
}

/** A copy of JSON without the members of one name. */
function withoutMember(json: unknown, name: string): unknown {
  return JSON.parse(JSON.stringify(json, (key, value: unknown) => (key === name ? undefined : value)));
}

function memberNames(json: unknown): Set<string> {
  const names = new Set<string>();
  JSON.stringify(json, (key, value: unknown) => {
    if (!Array.isArray(value) && isObject(value)) for (const name of Object.keys(value)) names.add(name);
    return value;
  });
  return names;
}

const classes = contractClasses().map((type) => [type.name, type] as const);

describe('compiled validation and stock class-validator', () => {
  it.each(classes)('agree on every value of every field of %s, and each of its codes occurs', (_, type) => {
    const seen = new Set([...payloadsOf(type)].flatMap((payload) => compare(type, payload)));
    const possible = constraintsOf(type).flatMap(({ property, constraints, items }) =>
      [...constraints, ...items].map((constraint) => `${property} ${codeOf(constraint)}`),
    );
    expect(possible.filter((one) => !seen.has(one))).toEqual([]);
  });

  it.each(['01-domestic-dual-fuel', '03-business-two-addresses', '06-broken-account-rules'])(
    'agree on the account %s with each of ten values everywhere, and without each field',
    (name) => {
      const json = readFileSync(join(__dirname, '../test/examples', `${name}.json`), 'utf8');
      const account: unknown = JSON.parse(json);
      for (const value of MIXED_VALUES) compare(Account, withValues(account, value));
      for (const field of memberNames(account)) compare(Account, withoutMember(account, field));
    },
  );
});

describe('conversion', () => {
  it.each(classes)('is idempotent for every value of every field of %s', (_, type) => {
    const example = exampleOf(type);
    for (const field of constraintsOf(type))
      for (const value of valuesOf(field)) {
        const once = validateObject(type, { ...example, [field.property]: value }, core);
        if (!once.ok) continue;
        const expected = { ok: true, value: once.value, ignoredFields: [] };
        const twice = validateObject(type, once.value, core);
        // The matchers of jest take most of the time of a suite that compares so often.
        if (!isDeepStrictEqual(twice, expected)) expect(twice).toEqual(expected);
      }
  });
});

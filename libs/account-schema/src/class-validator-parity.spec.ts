import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractClasses } from './openapi/contract-shapes';
import { core, gbEnergy } from '../test/context';
import { mutated, mutatedExample, randomPayload } from '../test/payloads';
import { type StockVerdict, stockVerdicts } from '../test/stock';
import { Account } from './contract/account';
import type { SchemaContext } from './context';
import { validateObject } from './validate';
import type { ObjectType } from './vocabulary/shape';

/** Number of payloads for each property. For a long run set PROPERTY_RUNS=100000. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 250);

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
  return verdicts;
}

/** Describes each disagreement of the two. */
function differences(type: ObjectType, payload: unknown, context: SchemaContext): string[] {
  const stock = stockVerdicts(type, payload, context.profile);
  const compiled = compiledVerdicts(type, payload, context, stock);
  const lists = [...compiled].filter(([, { ofItems }]) => ofItems).map(([path]) => `${path}.`);
  for (const path of compiled.keys()) {
    // class-validator validates the members of a list only if all of them are objects.
    if (lists.some((list) => path.startsWith(list))) compiled.delete(path);
  }
  const paths = new Set([...stock.keys(), ...compiled.keys()]);
  return [...paths]
    .filter((path) => !agree(stock.get(path), compiled.get(path)))
    .map(
      (path) =>
        `${path}: ${stock.get(path)?.code ?? 'fine'} / ${[...(compiled.get(path)?.codes ?? ['fine'])].join()}`,
    );
}

function agree(stock: StockVerdict | undefined, compiled: Compiled | undefined): boolean {
  if (!stock || !compiled || !compiled.codes.has(stock.code)) return false;
  return compiled.ofItems
    ? [...compiled.codes].every((code) => stock.codes.has(code))
    : compiled.codes.size === 1;
}

function expectAgreement(type: ObjectType, payloads: fc.Arbitrary<unknown>, numRuns: number): void {
  fc.assert(
    fc.property(payloads, fc.constantFrom(core, gbEnergy), (payload, context) => {
      const found = differences(type, payload, context);
      if (found.length > 0) throw new Error(`${found.join('; ')} in ${JSON.stringify(payload)}`);
    }),
    { numRuns },
  );
}

describe('compiled validation and stock class-validator', () => {
  const classes = contractClasses().filter(
    (type) => type !== Account && !type.name.endsWith('AccountRequest'),
  );
  const runs = Math.ceil((2 * RUNS) / classes.length);

  it.each(classes.map((type) => [type.name, type] as const))('agree on random payloads of %s', (_, type) => {
    expectAgreement(type, randomPayload(type), runs);
  });

  it.each(classes.map((type) => [type.name, type] as const))('agree on mutated examples of %s', (_, type) => {
    expectAgreement(type, mutatedExample(type), runs);
  });

  it.each(['01-domestic-dual-fuel', '03-business-two-addresses', '06-broken-account-rules'])(
    'agree on mutations of the account %s',
    (name) => {
      const text = readFileSync(join(__dirname, '../test/examples', `${name}.json`), 'utf8');
      expectAgreement(Account, mutated(JSON.parse(text)), Math.ceil(RUNS / 15));
    },
  );
});

describe('conversion', () => {
  it('is idempotent', () => {
    const payloads = fc
      .constantFrom(...contractClasses())
      .chain((type) => fc.tuple(fc.constant(type), mutatedExample(type)));
    fc.assert(
      fc.property(payloads, ([type, payload]) => {
        const once = validateObject(type, payload, core);
        if (!once.ok) return;
        expect(validateObject(type, once.value, core)).toEqual({
          ok: true,
          value: once.value,
          ignoredFields: [],
        });
      }),
      { numRuns: RUNS },
    );
  });
});

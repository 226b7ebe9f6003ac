/* eslint-disable no-console -- a benchmark's output is its result */
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import {
  Account,
  readReferenceData,
  References,
  type SchemaContext,
  validateAccount,
  validateObject,
} from '../libs/account-schema/src/index';
import { jsonSchemaOf } from './validation-json-schema';

/**
 * The field checks of a typical account (example 01), compiled, against stock class-validator on the same classes
 * and against ajv on a schema of the same rules. All take turns within one run; what counts are the ratios of their
 * medians. Beside them, what an account costs with all rules between fields too, with the operator's lists set up.
 */
const ROUNDS = 15;
const ROUND_MS = 200;

const context: SchemaContext = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  now: new Date('2026-01-15T12:00:00Z'),
  timeZone: 'Europe/London',
  limits: { arrayItems: 10_000, nesting: 32, errors: 1_000 },
};

const EXAMPLES = join(process.cwd(), 'libs/account-schema/test');

/** The strictest context: every rule, completeness and the market's included, against configured lists. */
function contextOfAllRules(): SchemaContext {
  const file = JSON.parse(readFileSync(join(EXAMPLES, 'rules/reference-data.json'), 'utf8')) as {
    import_suppliers: Record<string, object>;
    instance: object;
  };
  const reading = readReferenceData(file);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  const withoutNulls = (settings: object = {}) =>
    Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  const rules = {
    supplier: withoutNulls(file.import_suppliers['LEGACY_A']),
    instance: withoutNulls(file.instance),
    references: new References(reading.data),
  };
  return { ...context, profile: 'gb-energy', rules };
}

interface Contender {
  readonly name: string;
  /** Says whether the payload is valid. */
  readonly run: (payload: unknown) => boolean;
  readonly rates: number[];
}

function ajvValidator(): ValidateFunction {
  const { schema, formats } = jsonSchemaOf(Account);
  const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false, formats });
  return ajv.compile(schema);
}

/** Payloads a second over one round. */
function rate(run: Contender['run'], payloads: unknown[]): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(ROUND_MS) * 1_000_000n;
  let count = 0;
  let now = start;
  do {
    for (let i = 0; i < 20; i += 1) {
      if (!run(payloads[count % payloads.length])) throw new Error('The example is valid.');
      count += 1;
    }
    now = process.hrtime.bigint();
  } while (now < end);
  return (count * 1e9) / Number(now - start);
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function main(): void {
  const text = readFileSync(join(EXAMPLES, 'examples/01-domestic-dual-fuel.json'), 'utf8');
  // Many copies, each parsed by itself, so that nobody profits from seeing the same object again.
  const payloads = Array.from({ length: 200 }, () => JSON.parse(text) as unknown);
  const ajv = ajvValidator();
  const allRules = contextOfAllRules();
  const contenders: Contender[] = [
    { name: 'compiled', run: (payload) => validateObject(Account, payload, context).ok, rates: [] },
    { name: 'ajv', run: (payload) => ajv(payload), rates: [] },
    {
      name: 'stock class-validator',
      run: (payload) => validateSync(plainToInstance(Account, payload), { whitelist: true }).length === 0,
      rates: [],
    },
    {
      name: 'compiled, with all rules',
      run: (payload) => validateAccount(payload, allRules).ok,
      rates: [],
    },
  ];
  const broken: unknown = JSON.parse(text.replace('2024-06-03', '2024-06-31'));
  for (const { name, run } of contenders) {
    if (run(broken)) throw new Error(`${name} does not notice that June has 30 days.`);
    rate(run, payloads);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { run, rates } of contenders) rates.push(rate(run, payloads));
  }
  const [compiled = NaN, ...others] = contenders.map(({ rates }) => median(rates));
  console.log(
    `Example 01, ${(text.length / 1024).toFixed(1)} KiB; payloads a second, median of ${ROUNDS} rounds`,
  );
  for (const { name, rates } of contenders) {
    console.log(`${name.padEnd(26)}${Math.round(median(rates)).toLocaleString('en').padStart(10)}`);
  }
  const [ajvRate = NaN, stockRate = NaN, allRulesRate = NaN] = others;
  console.log(`compiled / ajv   ${(compiled / ajvRate).toFixed(2)}   goal 0.8`);
  console.log(`compiled / stock ${(compiled / stockRate).toFixed(1)}   goal 40`);
  console.log(`with all rules   ${Math.round(allRulesRate).toLocaleString('en')} a second   goal 5,000`);
}

main();

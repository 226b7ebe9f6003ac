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
} from '@portage/account-schema';
import { CHECKOUT } from '../environment/checkout';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { coreContext } from '../yardsticks/by-hand/read-account';
import type { Bench, Findings, Measure } from './measure';
import { jsonSchemaOf } from './validation-json-schema';

const ROUND_MS = 200;

const context: SchemaContext = { ...coreContext, now: new Date('2026-01-15T12:00:00Z') };

const EXAMPLES = join(CHECKOUT, 'libs/account-schema/test');

/** The strictest context: all rules, including completeness and market rules, with configured lists. */
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
  /** Returns true if the payload is valid. */
  readonly run: (payload: unknown) => boolean;
  readonly rates: number[];
}

function ajvValidator(): ValidateFunction {
  const { schema, formats } = jsonSchemaOf(Account);
  const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false, formats });
  return ajv.compile(schema);
}

/** Payloads per second in one round. */
function rate(run: Contender['run'], payloads: unknown[]): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(ROUND_MS) * 1_000_000n;
  let count = 0;
  let now = start;
  do {
    for (let i = 0; i < 20; i += 1) {
      if (!run(payloads[count % payloads.length])) throw new Error('A valid example was refused.');
      count += 1;
    }
    now = process.hrtime.bigint();
  } while (now < end);
  return (count * 1e9) / Number(now - start);
}

/**
 * Compares the compiled field checks of an account with class-validator on the same classes and with ajv on a schema of
 * the same rules. Also measures the compiled checks with all cross-field rules and the operator's lists.
 */
export const validation: Measure = {
  name: 'validation',
  title: 'Validated accounts per second on one core, without HTTP and database',
  async run(bench: Bench): Promise<Findings> {
    const text = readFileSync(join(EXAMPLES, 'examples/01-domestic-dual-fuel.json'), 'utf8');
    // Many separately parsed copies, so that no contender benefits from validating the same object again.
    const payloads = Array.from({ length: 200 }, () => JSON.parse(text) as unknown);
    const contenders = contendersFor(text);
    const [compiled, ajv, stock, allRules] = contenders;
    for (const { run } of contenders) rate(run, payloads);
    // More rounds than in other measures, because a round of all contenders takes less than a second.
    const rounds = bench.rounds * 3;
    for (let round = 0; round < rounds; round += 1)
      for (const { run, rates } of contenders) rates.push(rate(run, payloads));
    for (const { name, rates } of contenders) bench.log(`${name}: ${formatFigure(median(rates))} accounts/s`);
    const ratio = (one: Contender, other: Contender) => median(one.rates) / median(other.rates);
    return Promise.resolve({
      load: `Example 01, dual fuel, ${formatFigure(text.length / 1_024)} KiB, in rounds of ${ROUND_MS} ms each.`,
      rounds,
      tables: [
        {
          columns: ['validator', 'accounts/s', 'ratio of compiled to it'],
          rows: contenders.map((one) => [
            one.name,
            formatFigures(one.rates),
            one === compiled ? '' : formatFigure(ratio(compiled, one)),
          ]),
        },
      ],
      goals: [
        { name: 'compiled against ajv', measured: ratio(compiled, ajv), atLeast: 0.8 },
        { name: 'compiled against stock class-validator', measured: ratio(compiled, stock), atLeast: 40 },
        { name: 'with all rules', measured: median(allRules.rates), atLeast: 5_000, unit: 'accounts/s' },
      ],
    });
  },
};

function contendersFor(text: string): [Contender, Contender, Contender, Contender] {
  const ajv = ajvValidator();
  const allRules = contextOfAllRules();
  const contenders: [Contender, Contender, Contender, Contender] = [
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
  for (const { name, run } of contenders) if (run(broken)) throw new Error(`${name} accepts June 31.`);
  return contenders;
}

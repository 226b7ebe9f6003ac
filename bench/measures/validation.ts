import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Account,
  readReferenceData,
  References,
  type SchemaContext,
  validateAccount,
} from '@portage/account-schema';
import { validateObject } from '@portage/account-schema/service';
import { REPOSITORY } from '@portage/testing/built-programs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { BookSource } from '../book';
import { batched, Contender, portage, SUPPLIER } from '../contender';
import { requestsFor, requireStatus } from '../load';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { coreContext } from '../yardsticks/batched/read-account';
import { CONNECTIONS } from './import';
import { interleave, type Turn } from './interleave';
import type { Bench, Findings, Measure } from './measure';
import { turnSeconds } from './transactions-load';
import { ajvValidator } from './validation-json-schema';

const ROUND_MS = 200;

/** Number of different accounts, so that no contender benefits from validating the same account again. */
const REQUEST_PAYLOADS = 1_000;

const context: SchemaContext = { ...coreContext, now: new Date('2026-01-15T12:00:00Z') };

const EXAMPLES = join(REPOSITORY, 'libs/account-schema/test');

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

interface Validator {
  readonly name: string;
  /** Returns true if the payload is valid. */
  readonly run: (payload: unknown) => boolean;
  readonly rates: number[];
}

/** Payloads per second in one round. */
function rate(run: Validator['run'], payloads: unknown[]): number {
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
 * the same rules, and requests that validate an account with ones to bare Fastify with ajv.
 */
export const validation: Measure = {
  name: 'validation',
  title: 'Validation of accounts: in one process, and over HTTP',
  minutes: 2,
  async run(bench: Bench): Promise<Findings> {
    const text = readFileSync(join(EXAMPLES, 'examples/01-domestic-dual-fuel.json'), 'utf8');
    const [compiled, ajv, stock, allRules] = measureValidators(bench, text);
    const requests = await measureRequests(bench);
    const ratio = (one: Validator, other: Validator) => median(one.rates) / median(other.rates);
    const rows = [compiled, ajv, stock, allRules].map(({ name, rates }) => [
      `${name}, in one process`,
      formatFigures(rates),
    ]);
    for (const [name, rates] of requests) rows.push([name, formatFigures(rates)]);
    const [service = [], bare = []] = [...requests.values()];
    return {
      load: `In one process: example 01, dual fuel, ${formatFigure(text.length / 1_024)} KiB, on one core. Over HTTP: households of 5.8 KB over ${CONNECTIONS} connections; Portage with token, log, limits and all rules, bare Fastify with the fields only.`,
      tables: [{ columns: ['', 'accounts/s'], rows }],
      goals: [
        { name: 'compiled against ajv', measured: ratio(compiled, ajv), atLeast: 0.8 },
        { name: 'compiled against stock class-validator', measured: ratio(compiled, stock), atLeast: 40 },
        { name: 'with all rules', measured: median(allRules.rates), atLeast: 5_000, unit: 'accounts/s' },
        {
          name: 'requests against bare Fastify with ajv',
          measured: median(service) / median(bare),
          atLeast: 0.7,
        },
      ],
    };
  },
};

function measureValidators(bench: Bench, text: string): ReturnType<typeof contendersFor> {
  // Many separately parsed copies, so that no contender benefits from validating the same object again.
  const payloads = Array.from({ length: 200 }, () => JSON.parse(text) as unknown);
  const contenders = contendersFor(text);
  for (const { run } of contenders) rate(run, payloads);
  // More rounds than in other measures, because a round of all contenders takes less than a second.
  for (let round = 0; round < bench.rounds * 3; round += 1)
    for (const { run, rates } of contenders) rates.push(rate(run, payloads));
  for (const { name, rates } of contenders) bench.log(`${name}: ${formatFigure(median(rates))} accounts/s`);
  return contenders;
}

/** Requests a second of the endpoint that validates, and of bare Fastify with ajv. */
async function measureRequests(bench: Bench): Promise<ReadonlyMap<string, number[]>> {
  const { payloads } = new BookSource(SUPPLIER).next(REQUEST_PAYLOADS);
  const contenders: Contender[] = [];
  try {
    const turns: Turn<number>[] = [];
    for (const [name, program, path] of [
      ['Portage, requests', portage, '/v2/data-import/accounts/validate/'],
      ['bare Fastify with ajv, requests', batched, '/validate'],
    ] as const) {
      const contender = await Contender.start(program, {
        backend: bench.backends[0],
        workers: 0,
      });
      contenders.push(contender);
      const run = async () => {
        const load = contender.load(CONNECTIONS);
        try {
          const request = (nth: number) => ({
            method: 'POST' as const,
            path,
            body: payloads[nth % payloads.length] ?? '',
          });
          return requireStatus(200, await load.send(requestsFor(turnSeconds(bench), request))).perSecond;
        } finally {
          await load.close();
        }
      };
      // The warm-up.
      await run();
      turns.push({ name, run, summarize: (perSecond) => `${formatFigure(perSecond)} accounts/s` });
    }
    return await interleave(bench, turns);
  } finally {
    for (const contender of contenders) await contender.stop();
  }
}

function contendersFor(text: string): [Validator, Validator, Validator, Validator] {
  const ajv = ajvValidator();
  const allRules = contextOfAllRules();
  const contenders: [Validator, Validator, Validator, Validator] = [
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

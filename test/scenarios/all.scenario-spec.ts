import {
  announceSkipped,
  findRedisProgram,
  mayTestRedis,
  MISSING,
  type TestedBackend,
  testedBackends,
} from '@portage/testing';
import { Installation, seededRandom } from '@portage/testing/installation';
import { type NamedScenario, readScenarios } from './catalogue';
import type { Figures, ScenarioRun } from './scenario';
import { type Row, writeRows } from './tables';

/** What `run.mjs` has read from its command line. */
const { names, seeds, isShort, isList, isWritten } = JSON.parse(
  process.env['SCENARIOS'] ?? '{"names":["faults"],"seeds":[1],"isShort":true}',
) as { names: string[]; seeds: number[]; isShort?: boolean; isList?: boolean; isWritten?: boolean };

/** A run may take this many times as long as on a machine without other work. */
const PATIENCE = 8;
const MIN_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 180_000;
const BOTH: readonly TestedBackend[] = ['postgres', 'redis'];
const QUEUE_IN = { postgres: 'PostgreSQL', redis: 'Redis' };

const all = readScenarios();
const chosen = all.filter(
  ({ family, name, isShort: hasShort }) =>
    (!isShort || hasShort) && (names.length === 0 || names.includes(family) || names.includes(name)),
);
const unknown = names.filter((wanted) => !all.some(({ family, name }) => [family, name].includes(wanted)));
if (unknown.length > 0) throw new Error(`There is no scenario or family ${unknown.join(', ')}.`);

const hasRedis = mayTestRedis() && findRedisProgram() !== undefined;
const backends = testedBackends(hasRedis);
if (mayTestRedis() && !hasRedis) announceSkipped('scenarios on Redis', MISSING.redis);

/** What is written at the end, by page and table. */
const tables = new Map<string, { page: string; table: string; rows: Row[]; keys: number }>();
/** What ends with the current run. */
const stops: (() => Promise<void> | void)[] = [];

if (isList) list();
else describe.each(chosen)('$family: $title', testScenario);

function list(): void {
  const lines = all.map(
    ({ family, name, minutes, title, backends: on = BOTH }) =>
      `${family.padEnd(12)} ${name.padEnd(28)} ${String(minutes * on.length).padStart(3)} min  ${title}\n`,
  );
  it('lists the scenarios', () => {
    process.stderr.write(lines.join(''));
  });
}

function testScenario(scenario: NamedScenario): void {
  const { name, title, minutes, backends: on = BOTH } = scenario;
  const missing = scenario.missing?.();
  if (missing !== undefined) {
    announceSkipped(`the scenario ${name}`, missing);
    it.skip(missing, () => undefined);
    return;
  }
  const tested = backends.filter((backend) => on.includes(backend));
  const runs = (isShort ? backendsOfShort(scenario, tested) : tested).flatMap((backend) =>
    seeds.map((seed) => ({ backend, seed })),
  );
  if (runs.length === 0) return;
  it.each(runs)(
    'it holds with the queue in $backend, seed $seed',
    async ({ backend, seed }) => {
      const say = (text: string) => process.stderr.write(`${name}, ${backend}, seed ${seed}: ${text}\n`);
      say(`repeat with npm run test:scenarios -- ${name} --backend ${backend} --seed ${seed}`);
      const figures = await runScenario(scenario, { backend, seed, say });
      if (figures)
        record(scenario, seed === 1 ? title : `${title} (seed ${seed})`, QUEUE_IN[backend], figures);
    },
    Math.max(MIN_TIMEOUT_MS, minutes * 60_000 * PATIENCE),
  );
}

/** Those on which the short form runs; the first one that is tested, if none of them is. */
function backendsOfShort({ isShort: on }: NamedScenario, tested: TestedBackend[]): TestedBackend[] {
  const named = tested.filter((backend) => on === true || on?.includes(backend));
  return named.length > 0 ? named : tested.slice(0, 1);
}

function record(
  { family, table = family, page = 'reliability.md' }: NamedScenario,
  scenario: string,
  queue: string,
  figures: Figures | readonly Figures[],
): void {
  const measured = new Date().toISOString().slice(0, 10);
  const written = Array.isArray(figures)
    ? (figures as readonly Figures[]).map((one) => ({ 'queue in': queue, ...one, measured }))
    : [{ scenario, 'queue in': queue, ...(figures as Figures), measured }];
  const known = tables.get(table) ?? { page, table, rows: [], keys: Array.isArray(figures) ? 3 : 2 };
  known.rows.push(...written);
  tables.set(table, known);
}

async function runScenario(
  scenario: NamedScenario,
  { backend, seed, say }: { backend: TestedBackend; seed: number; say: (text: string) => void },
) {
  const atEnd: ScenarioRun['atEnd'] = (stop) => void stops.push(stop);
  return scenario.run({
    backend,
    size: isShort ? 'short' : 'full',
    random: seededRandom(seed),
    say,
    atEnd,
    install: async (needs) => {
      const installation = await Installation.start({ backend, ...needs });
      atEnd(async () => installation.stop());
      return installation;
    },
  });
}

// Also after a run that has exceeded its time.
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
}, STOP_TIMEOUT_MS);

afterAll(() => {
  if (!isWritten) return;
  for (const { page, table, rows, keys } of tables.values()) writeRows(page, table, rows, keys);
});

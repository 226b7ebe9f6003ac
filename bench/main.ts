import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MISSING } from '@portage/testing/announce-skipped';
import { REPOSITORY } from '@portage/testing/built-programs';
import { findRedisProgram } from '@portage/testing/installation';
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import { Contender } from './contender';
import { describeMachine } from './machine';
import { additions } from './measures/additions';
import { afterImport } from './measures/after-import';
import { corrections } from './measures/corrections';
import { AGAINST_PARTS, compareWith } from './measures/against';
import { endToEnd } from './measures/end-to-end';
import { floor } from './measures/floor';
import { mapping } from './measures/mapping';
import type { Bench, Measure } from './measures/measure';
import { validation } from './measures/validation';
import { replaceSection, sectionText } from './results';

const RESULTS = join(REPOSITORY, 'bench', 'results.md');
const AGAINST = 'against';
/** In the order of their execution and of their sections in the results. */
const measures: readonly Measure[] = [
  endToEnd,
  corrections,
  additions,
  afterImport,
  validation,
  mapping,
  floor,
];
const names = measures.map(({ name }) => name);

interface Options {
  rounds: number;
  accounts: number;
  stored: number;
  quick?: true;
}

const QUICK = { rounds: 1, accounts: 200, stored: 300 };

/** `npm run bench`: runs the requested measures and writes their results to bench/results.md. */
async function main(): Promise<void> {
  const command = new Command('bench')
    .description('Measures Portage on dedicated local servers and writes bench/results.md.')
    .enablePositionalOptions()
    .exitOverride()
    .addArgument(new Argument('[measures...]', 'measures to run (default: all)').choices(names))
    .option(
      '--stored <n>',
      'accounts that are stored before the growth in end-to-end and in corrections, 0 for none; a million needs 14 GB of disk and some minutes',
      wholeNumber(0, 10_000_000),
      1_000_000,
    )
    .action(runRequested);
  const against = command
    .command(`${AGAINST} <revision>`)
    .description('Compares this checkout with the build of another commit, in turns.')
    .addArgument(new Argument('[measures...]', 'measures to run (default: all)').choices(AGAINST_PARTS))
    .exitOverride()
    .action(runAgainst);
  for (const each of [command, against])
    each
      .option('--rounds <n>', 'number of rounds; each contender runs once per round', wholeNumber(1, 100), 5)
      .option('--accounts <n>', 'number of accounts of one import', wholeNumber(50, 1_000_000), 4_000)
      .option('--quick', 'one round with few accounts as a smoke test; writes no results');
  await command.parseAsync();
}

async function runRequested(requested: readonly string[], options: Options): Promise<void> {
  const chosen = measures.filter(({ name }) => requested.length === 0 || requested.includes(name));
  const minutes = chosen.reduce((sum, measure) => sum + measure.minutes, 0);
  log(options.quick ? 'Some minutes, with few accounts.' : `About ${Math.ceil(minutes)} minutes.`);
  await runMeasures(chosen, options);
}

async function runAgainst(revision: string, requested: readonly string[], options: Options): Promise<void> {
  const parts = requested.length === 0 ? AGAINST_PARTS : requested;
  const checkout = buildRevision(revision);
  const measure: Measure = {
    name: AGAINST,
    title: `This checkout against ${revision}`,
    minutes: 0,
    run: async (bench) => compareWith(bench, checkout, new Set(parts)),
  };
  await runMeasures([measure], options);
}

/** Builds a commit, once. @returns its directory */
function buildRevision(revision: string): string {
  const script = join(REPOSITORY, 'scripts', 'build-revision.mjs');
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return execFileSync(process.execPath, [script, revision], { encoding: 'utf8', stdio: [...stdio] }).trim();
}

async function runMeasures(chosen: readonly Measure[], options: Options): Promise<void> {
  const { rounds, accounts, stored } = options.quick ? QUICK : options;
  const isQuick = options.quick === true;
  const hasRedis = findRedisProgram() !== undefined;
  if (!hasRedis) log(`WARNING: only the PostgreSQL queue is measured, because ${MISSING.redis}.`);
  const bench: Bench = {
    backends: hasRedis ? ['redis', 'postgres'] : ['postgres'],
    rounds,
    accounts,
    stored,
    isQuick,
    log: logIndented,
  };
  const interrupted = onInterrupt();
  const running = async () => {
    for (const measure of chosen) await runMeasure(bench, measure);
  };
  try {
    await Promise.race([running(), interrupted]);
  } catch (error) {
    if (!(error instanceof Interrupted)) log(Contender.endOfLogs());
    throw error;
  } finally {
    await Contender.stopAll();
  }
}

async function runMeasure(bench: Bench, measure: Measure): Promise<void> {
  log(`${measure.name}: ${measure.title}`);
  const findings = await measure.run(bench);
  const section = {
    name: measure.name,
    title: measure.title,
    findings,
    when: new Date(),
    machine: describeMachine(Contender.postgresVersion),
    rounds: findings.rounds ?? bench.rounds,
  };
  process.stdout.write(`\n## ${sectionText(section)}\n\n`);
  if (bench.isQuick) return;
  const page = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '';
  writeFileSync(RESULTS, replaceSection(page, section, [...names, AGAINST]));
}

class Interrupted extends Error {
  constructor(readonly status: number) {
    super('Interrupted.');
  }
}

/** Rejects on the first Ctrl-C or SIGTERM, so that all servers are stopped in one place. */
function onInterrupt(): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    for (const [signal, status] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      process.once(signal, () => {
        log('Stopping ...');
        reject(new Interrupted(status));
      });
  });
  // The signal may arrive before the promise is awaited.
  ended.catch(() => undefined);
  return ended;
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

function logIndented(text: string): void {
  log(`  ${text}`);
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`The value must be a whole number from ${min} to ${max}.`);
  };
}

main().catch((error: unknown) => {
  // Commander has already printed the message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof Interrupted) process.exit(error.status);
  else {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
});

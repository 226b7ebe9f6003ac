import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import { CHECKOUT } from './environment/checkout';
import { Servers } from './environment/servers';
import { describeMachine } from './machine';
import { measures } from './measures';
import type { Bench } from './measures/measure';
import { type Section, sectionText, replaceSection } from './results';

const RESULTS = join(CHECKOUT, 'bench', 'results.md');
const names = measures.map(({ name }) => name);

interface Options {
  rounds: number;
  accounts: number;
  stored: number;
  quick?: true;
}

/** `npm run bench`: runs the requested measures and writes their results to bench/results.md. */
async function main(): Promise<void> {
  const command = new Command('bench')
    .description(
      'Measures Portage and its yardsticks on dedicated local servers and writes bench/results.md.',
    )
    .addArgument(new Argument('[measures...]', 'measures to run (default: all)').choices(names))
    .option('--rounds <n>', 'number of rounds; each contender runs once per round', wholeNumber(1, 100), 5)
    .option('--accounts <n>', 'number of accounts of one import', wholeNumber(50, 1_000_000), 5_000)
    .option(
      '--stored <n>',
      'number of existing accounts in the measure growth; a million needs about 6 GB of disk',
      wholeNumber(3_000, 10_000_000),
      3_000_000,
    )
    .option('--quick', 'one round with few accounts as a smoke test; writes no results')
    .exitOverride();
  command.parse();
  const options = command.opts<Options>();
  // Without arguments commander passes an empty list.
  const requested = command.args.length > 0 ? new Set(command.args) : new Set(names);
  if (options.quick) Object.assign(options, { rounds: 1, accounts: 200, stored: 3_000 });

  const interrupted = onInterrupt();
  log('Starting PostgreSQL and Redis ...');
  const servers = await Servers.start();
  try {
    await Promise.race([runMeasures(servers, requested, options), interrupted]);
  } catch (error) {
    if (!(error instanceof Interrupted)) log(servers.endOfLogs());
    throw error;
  } finally {
    await servers.stop();
  }
}

async function runMeasures(servers: Servers, requested: Set<string>, options: Options): Promise<void> {
  if (!servers.redis)
    log(
      'WARNING: neither redis-server nor valkey-server is installed. Only the PostgreSQL queue is measured.',
    );
  for (const measure of measures.filter(({ name }) => requested.has(name))) {
    log(`${measure.name}: ${measure.title}`);
    const { rounds, accounts, stored } = options;
    const bench: Bench = {
      servers,
      rounds,
      accounts,
      stored,
      isQuick: options.quick === true,
      log: logIndented,
    };
    const findings = await measure.run(bench);
    const section: Section = {
      ...{ name: measure.name, title: measure.title, findings },
      ...{ when: new Date(), machine: describeMachine(servers), rounds: findings.rounds ?? rounds },
    };
    process.stdout.write(`\n## ${sectionText(section)}\n\n`);
    if (options.quick) continue;
    const page = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '';
    writeFileSync(RESULTS, replaceSection(page, section, names));
  }
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

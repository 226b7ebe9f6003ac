import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import { CHECKOUT } from './environment/checkout';
import { Servers } from './environment/servers';
import { machine } from './machine';
import { measures } from './measures';
import type { Bench } from './measures/measure';
import { type Section, sectionText, withSection } from './results';

const RESULTS = join(CHECKOUT, 'bench', 'results.md');
const names = measures.map(({ name }) => name);

interface Options {
  rounds: number;
  accounts: number;
  stored: number;
  quick?: true;
}

/** `npm run bench`: runs the measures that are asked for, and writes what they find into bench/results.md. */
async function main(): Promise<void> {
  const command = new Command('bench')
    .description(
      'Measures Portage against its yardsticks, on servers of its own, and writes bench/results.md.',
    )
    .addArgument(new Argument('[measures...]', 'those to run; without any, all').choices(names))
    .option('--rounds <n>', 'turns of each contender', wholeNumber(1, 100), 5)
    .option('--accounts <n>', 'accounts of one import', wholeNumber(50, 1_000_000), 5_000)
    .option(
      '--stored <n>',
      'accounts that are there before, in the measure of growth; a million takes about 6 GB of disk',
      wholeNumber(3_000, 10_000_000),
      3_000_000,
    )
    .option('--quick', 'one round with few accounts, to see that everything works; writes no results')
    .exitOverride();
  command.parse();
  const options = command.opts<Options>();
  // Commander hands over an empty list where nothing was given.
  const asked = command.args.length > 0 ? new Set(command.args) : new Set(names);
  if (options.quick) Object.assign(options, { rounds: 1, accounts: 200, stored: 3_000 });

  const interrupted = interruption();
  say('Starting PostgreSQL and Redis ...');
  const servers = await Servers.start();
  try {
    await Promise.race([runMeasures(servers, asked, options), interrupted]);
  } catch (error) {
    if (!(error instanceof Interrupted)) say(servers.endOfLogs());
    throw error;
  } finally {
    await servers.stop();
  }
}

async function runMeasures(servers: Servers, asked: Set<string>, options: Options): Promise<void> {
  if (!servers.redis)
    say('THERE IS NO REDIS HERE (redis-server or valkey-server): only the PostgreSQL queue is measured.');
  for (const measure of measures.filter(({ name }) => asked.has(name))) {
    say(`${measure.name}: ${measure.title}`);
    const { rounds, accounts, stored } = options;
    const bench: Bench = {
      servers,
      rounds,
      accounts,
      stored,
      isQuick: options.quick === true,
      say: indented,
    };
    const findings = await measure.run(bench);
    const section: Section = {
      ...{ name: measure.name, title: measure.title, findings },
      ...{ when: new Date(), machine: machine(servers), rounds: findings.rounds ?? rounds },
    };
    process.stdout.write(`\n## ${sectionText(section)}\n\n`);
    if (options.quick) continue;
    const page = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '';
    writeFileSync(RESULTS, withSection(page, section, names));
  }
}

class Interrupted extends Error {
  constructor(readonly status: number) {
    super('Interrupted.');
  }
}

/** Rejects at the first Ctrl-C or SIGTERM, so that what was started is stopped in one place. */
function interruption(): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    for (const [signal, status] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      process.once(signal, () => {
        say('Stopping ...');
        reject(new Interrupted(status));
      });
  });
  // It may come before anybody waits for it.
  ended.catch(() => undefined);
  return ended;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function indented(text: string): void {
  say(`  ${text}`);
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

main().catch((error: unknown) => {
  // Commander has printed its own message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof Interrupted) process.exit(error.status);
  else {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
});

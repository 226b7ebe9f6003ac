import { Command, CommanderError } from 'commander';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAX_FAULTY, MAX_SEED, MAX_VALID } from './sample/renumber';
import { SampleAdditions } from './sample/sample-additions';
import { expectedResult, SampleBook, type SampleBookOptions } from './sample/sample-book';
import { printMessage } from './terminal';
import { UsageError } from './usage-error';

/** The folder of the sample, relative to the compiled file. */
const EXAMPLES = join(__dirname, '..', '..', '..', '..', 'examples');

/** Writes a sample book and the additions to its accounts, each with the expected result next to it. */
async function main(): Promise<void> {
  const command = new Command('generate-book')
    .description(
      'Writes a book (NDJSON) of the accounts of examples/book.ndjson, repeated under numbers of their own. The same ' +
        'seed gives the same accounts.',
    )
    .option('--accounts <n>', 'number of valid accounts', '200')
    .option('--faulty <n>', 'number of accounts with one mistake each, evenly among them', '12')
    .option(
      '--seed <n>',
      `part of all numbers, from 1 to ${MAX_SEED}; books of different seeds have no number in common`,
      '1',
    )
    .option('--supplier <code>', 'import supplier code', 'DEMO')
    .requiredOption(
      '--out <path>',
      'path of the book; the expected result is written to the same path with .expected.json',
    )
    .option(
      '--additions-out <path>',
      'path of the book of additions; its expected result is written in the same way',
    )
    .allowExcessArguments(false)
    .exitOverride();
  command.parse();
  const given = command.opts<
    Record<'accounts' | 'faulty' | 'seed' | 'supplier' | 'out', string> & { additionsOut?: string }
  >();
  const options: SampleBookOptions = {
    accounts: wholeNumber('--accounts', given.accounts, 0, MAX_VALID),
    faulty: wholeNumber('--faulty', given.faulty, 0, MAX_FAULTY),
    seed: wholeNumber('--seed', given.seed, 1, MAX_SEED),
    supplier: given.supplier,
  };
  await write(given.out, new SampleBook(EXAMPLES).lines(options), expectedResult(options));
  if (given.additionsOut === undefined) return;
  const additions = new SampleAdditions(EXAMPLES);
  await write(given.additionsOut, additions.lines(options), additions.expected(options));
}

async function write(path: string, lines: Iterable<string>, expected: object): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path));
  await writeFile(`${path.replace(/\.ndjson$/, '')}.expected.json`, `${JSON.stringify(expected, null, 2)}\n`);
}

function wholeNumber(option: string, value: string, min: number, max: number): number {
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`${option} ${value} is not a whole number from ${min} to ${max}.`);
  }
  return Number(value);
}

main().catch((error: unknown) => {
  // Commander has printed its own message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    printMessage(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
});

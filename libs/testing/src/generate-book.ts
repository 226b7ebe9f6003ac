import { Command, InvalidArgumentError } from 'commander';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REPOSITORY } from './built-programs';
import {
  expectedResult,
  MAX_FAULTY,
  MAX_SEED,
  MAX_VALID,
  SampleAdditions,
  SampleBook,
  type SampleBookOptions,
} from './sample-book';

const EXAMPLES = join(REPOSITORY, 'examples');

/** Writes a sample book and the additions to its accounts, each with the expected result next to it. */
async function main(): Promise<void> {
  const command = new Command('generate-book')
    .description(
      'Writes a book (NDJSON) of the accounts of examples/book.ndjson, repeated under numbers of their own. The same ' +
        'seed gives the same accounts.',
    )
    .option('--accounts <n>', 'number of valid accounts', wholeNumber(0, MAX_VALID), 200)
    .option(
      '--faulty <n>',
      'number of accounts with one mistake each, evenly among them',
      wholeNumber(0, MAX_FAULTY),
      12,
    )
    .option(
      '--seed <n>',
      `part of all numbers, from 1 to ${MAX_SEED}; books of different seeds have no number in common`,
      wholeNumber(1, MAX_SEED),
      1,
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
    .allowExcessArguments(false);
  command.parse();
  const { out, additionsOut, ...options } = command.opts<
    SampleBookOptions & { out: string; additionsOut?: string }
  >();
  await write(out, new SampleBook(EXAMPLES).lines(options), expectedResult(options));
  if (additionsOut === undefined) return;
  const additions = new SampleAdditions(EXAMPLES);
  await write(additionsOut, additions.lines(options), additions.expected(options));
}

async function write(path: string, lines: Iterable<string>, expected: object): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path));
  await writeFile(`${path.replace(/\.ndjson$/, '')}.expected.json`, `${JSON.stringify(expected, null, 2)}\n`);
}

/** Reads the value of an option. */
function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max)
      throw new InvalidArgumentError(`It is not a whole number from ${min} to ${max}.`);
    return Number(text);
  };
}

void main();

import { Command, CommanderError } from 'commander';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expectedAfterImport, sampleAfterImport } from './sample/sample-after-import';
import { expectedResult, sampleBook, type SampleBookOptions } from './sample/sample-book';
import { UsageError } from './usage-error';

/** Writes a sample book and what is added to its accounts, and beside each what a correct service makes of it. */
async function main(): Promise<void> {
  const command = new Command('generate-book')
    .description('Writes a book of invented accounts (NDJSON), the same for the same seed.')
    .option('--accounts <n>', 'valid accounts', '200')
    .option('--faulty <n>', 'accounts with one mistake each, strewn among the others', '12')
    .option('--seed <n>', 'another seed gives other accounts', '1')
    .option('--supplier <code>', 'import supplier code', 'DEMO')
    .requiredOption(
      '--out <path>',
      'where the book goes; <path less .ndjson>.expected.json is written beside it',
    )
    .option('--after-import-out <path>', 'where requests that add to the accounts go; likewise')
    .allowExcessArguments(false)
    .exitOverride();
  command.parse();
  const given = command.opts<
    Record<'accounts' | 'faulty' | 'seed' | 'supplier' | 'out', string> & { afterImportOut?: string }
  >();
  const options: SampleBookOptions = {
    accounts: wholeNumber('--accounts', given.accounts),
    faulty: wholeNumber('--faulty', given.faulty),
    seed: wholeNumber('--seed', given.seed),
    supplier: given.supplier,
  };
  await write(given.out, sampleBook(options), expectedResult(options));
  if (given.afterImportOut !== undefined)
    await write(given.afterImportOut, sampleAfterImport(options), expectedAfterImport(options));
}

async function write(path: string, lines: Iterable<string>, expected: object): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path));
  await writeFile(`${path.replace(/\.ndjson$/, '')}.expected.json`, `${JSON.stringify(expected, null, 2)}\n`);
}

/** The accounts' serial numbers, and with them the check-digited identifiers, have room for so many. */
const MOST = 1_000_000;

function wholeNumber(option: string, value: string): number {
  if (!/^\d+$/.test(value) || Number(value) > MOST) {
    throw new UsageError(`${option} ${value} is not a whole number from 0 to ${MOST}.`);
  }
  return Number(value);
}

main().catch((error: unknown) => {
  // Commander has printed its own message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
});

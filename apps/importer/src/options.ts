import { Command, CommanderError } from 'commander';
import { UsageError } from './usage-error';

export interface ImportOptions {
  /** The book, if one is to be sent. */
  file: string | undefined;
  /** What is to be added once the accounts are imported, if anything. */
  afterImport: string | undefined;
  baseUrl: URL;
  apiKey: string;
  concurrency: number;
  /** Where the CSV of failed accounts goes, if anywhere. */
  errors: string | undefined;
  /** Where the summary goes as JSON, if anywhere. */
  report: string | undefined;
  wait: boolean;
  /** How long to wait without any process coming to an end. */
  waitMs: number;
  /** How long one request is repeated. */
  retryMs: number;
  /** How long one answer may take. */
  timeoutMs: number;
}

type Given = Partial<Record<'file' | 'afterImport' | 'baseUrl' | 'apiKey' | 'errors' | 'report', string>> &
  Record<'concurrency' | 'waitMinutes' | 'retryMinutes' | 'timeoutSeconds', string> & { wait: boolean };

/**
 * @param args the arguments after the program's name
 * @param keyFromEnvironment used when --api-key is not given
 * @returns undefined when only help was asked for
 * @throws UsageError
 */
export function parseOptions(
  args: string[],
  keyFromEnvironment: string | undefined,
): ImportOptions | undefined {
  const command = new Command('import-book')
    .description(
      'Sends a book of accounts (NDJSON, one account a line) through the public API, waits until each is ' +
        'imported, and adds to them. Safe to stop and to run again: what was taken already is recognised.',
    )
    .option('--file <path>', 'the book')
    .option(
      '--after-import <path>',
      'notes, transactions, statements and payment instructions for imported accounts (NDJSON, one request a ' +
        'line); sent once the book is through, or alone',
    )
    .option('--base-url <url>', 'where the service is, e.g. https://import.example.com')
    .option('--api-key <key>', 'the key of your organisation; better in the environment, as PORTAGE_API_KEY')
    .option('--concurrency <n>', 'accounts sent or added to at a time', '16')
    .option(
      '--errors <path>',
      'write every error of every refused or errored account or request to this CSV file',
    )
    .option('--report <path>', 'write the summary to this file as JSON')
    .option('--no-wait', 'end when the book is sent, without waiting for the accounts to be processed')
    .option('--wait-minutes <n>', 'give up waiting when nothing has changed for so long', '60')
    .option('--retry-minutes <n>', 'how long a request is tried while the service is out of reach', '3')
    .option('--timeout-seconds <n>', 'how long a single answer may take', '30')
    .allowExcessArguments(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(`${error.message.replace(/^error: /, '')}. Run with --help to see all options.`);
  }
  const given = command.opts<Given>();
  expectInput(given);
  return {
    file: given.file,
    afterImport: given.afterImport,
    baseUrl: webAddress(required(given.baseUrl, '--base-url', 'where the service is')),
    apiKey: required(given.apiKey ?? keyFromEnvironment, '--api-key', 'your key, or set PORTAGE_API_KEY'),
    concurrency: wholeNumber(given.concurrency, '--concurrency', 1, 256),
    errors: given.errors,
    report: given.report,
    wait: given.wait,
    waitMs: positive(given.waitMinutes, '--wait-minutes') * 60_000,
    retryMs: positive(given.retryMinutes, '--retry-minutes') * 60_000,
    timeoutMs: positive(given.timeoutSeconds, '--timeout-seconds') * 1000,
  };
}

function expectInput({ file, afterImport, wait }: Given): void {
  if (file === undefined && afterImport === undefined) {
    throw new UsageError('--file is missing: the path of the book; or give --after-import alone.');
  }
  if (file !== undefined && afterImport !== undefined && !wait) {
    throw new UsageError(
      '--after-import is sent once the accounts are imported: leave out --no-wait, or send it in a run of its own.',
    );
  }
}

function required(value: string | undefined, option: string, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is missing: give ${what}.`);
  return value;
}

function webAddress(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`--base-url ${value} is not a web address. Give one like http://127.0.0.1:3000.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`--base-url ${value} has a query or a fragment. Leave off what follows the path.`);
  }
  return url;
}

function wholeNumber(value: string, option: string, least: number, most: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new UsageError(`${option} ${value} is not a whole number from ${least} to ${most}.`);
  }
  return number;
}

function positive(value: string, option: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0)
    throw new UsageError(`${option} ${value} is not a number above 0.`);
  return number;
}

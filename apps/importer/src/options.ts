import { Command, CommanderError } from 'commander';
import { UsageError } from './usage-error';

/** The validated options of import-book. */
export interface ImportOptions {
  /** Path of the book, if any. */
  file: string | undefined;
  /** Path of the after-import file, if any. */
  afterImport: string | undefined;
  baseUrl: URL;
  apiKey: string;
  concurrency: number;
  /** Path of the CSV file with all errors, if any. */
  errors: string | undefined;
  /** Path of the JSON summary, if any. */
  report: string | undefined;
  wait: boolean;
  /** Maximum time to wait while no process ends. */
  waitMs: number;
  /** Maximum time for which a request is retried. */
  retryMs: number;
  /** Timeout of a single request. */
  timeoutMs: number;
}

type RawOptions = Partial<
  Record<'file' | 'afterImport' | 'baseUrl' | 'apiKey' | 'errors' | 'report', string>
> &
  Record<'concurrency' | 'waitMinutes' | 'retryMinutes' | 'timeoutSeconds', string> & { wait: boolean };

/**
 * Parses and validates the command line.
 *
 * @param args the arguments after the program's name
 * @param keyFromEnvironment used if --api-key is not given
 * @returns undefined if only help was requested
 * @throws UsageError
 */
export function parseOptions(
  args: string[],
  keyFromEnvironment: string | undefined,
): ImportOptions | undefined {
  const command = new Command('import-book')
    .description(
      'Sends a book of accounts (NDJSON, one account per line) through the public API, waits until they are ' +
        'imported, and then sends after-import requests. Safe to stop and run again: accounts and data that ' +
        'were already imported are skipped.',
    )
    .option('--file <path>', 'path of the book')
    .option(
      '--after-import <path>',
      'path of the notes, transactions, statements and payment instructions for imported accounts (NDJSON, one ' +
        'request per line); sent after the book, or without a book',
    )
    .option('--base-url <url>', 'URL of the service, e.g. https://import.example.com')
    .option(
      '--api-key <key>',
      'API key of your organisation; preferably set in the environment as PORTAGE_API_KEY',
    )
    .option('--concurrency <n>', 'maximum number of accounts in progress at the same time', '16')
    .option(
      '--errors <path>',
      'write all errors of refused and errored accounts and requests to this CSV file',
    )
    .option('--report <path>', 'write the summary to this file as JSON')
    .option('--no-wait', 'end after sending the book, without waiting until the accounts are processed')
    .option('--wait-minutes <n>', 'stop waiting if no account was processed for this long', '60')
    .option('--retry-minutes <n>', 'how long a request is retried while the service cannot be reached', '3')
    .option('--timeout-seconds <n>', 'timeout of a single request', '30')
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
  const given = command.opts<RawOptions>();
  expectInput(given);
  return {
    file: given.file,
    afterImport: given.afterImport,
    baseUrl: parseBaseUrl(required(given.baseUrl, '--base-url', 'the URL of the service')),
    apiKey: required(given.apiKey ?? keyFromEnvironment, '--api-key', 'your key, or set PORTAGE_API_KEY'),
    concurrency: parseWholeNumber(given.concurrency, '--concurrency', 1, 256),
    errors: given.errors,
    report: given.report,
    wait: given.wait,
    waitMs: parsePositive(given.waitMinutes, '--wait-minutes') * 60_000,
    retryMs: parsePositive(given.retryMinutes, '--retry-minutes') * 60_000,
    timeoutMs: parsePositive(given.timeoutSeconds, '--timeout-seconds') * 1000,
  };
}

function expectInput({ file, afterImport, wait }: RawOptions): void {
  if (file === undefined && afterImport === undefined) {
    throw new UsageError('--file is missing: give the path of the book, or give --after-import only.');
  }
  if (file !== undefined && afterImport !== undefined && !wait) {
    throw new UsageError(
      '--after-import is sent after the accounts are imported: leave out --no-wait, or send it in a separate run.',
    );
  }
}

function required(value: string | undefined, option: string, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is missing: give ${what}.`);
  return value;
}

function parseBaseUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(
      `--base-url ${value} is not a web address. Give an address such as http://127.0.0.1:3000.`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`--base-url ${value} has a query or a fragment. Remove everything after the path.`);
  }
  return url;
}

function parseWholeNumber(value: string, option: string, min: number, max: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new UsageError(`${option} ${value} is not a whole number from ${min} to ${max}.`);
  }
  return number;
}

function parsePositive(value: string, option: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0)
    throw new UsageError(`${option} ${value} is not a number above 0.`);
  return number;
}

import { readIdentifier } from '@portage/text';
import { Command, CommanderError, Option } from 'commander';
import { STANDARD_INPUT } from './book/json-lines-file';
import type { Expected, Mode } from './submission/open-submissions';
import { UsageError } from './usage-error';

/** The validated options of import-book. */
export interface ImportOptions {
  /** Path of the book, if any; `-` is standard input. */
  file: string | undefined;
  /** Path of the after-import file, if any; `-` is standard input. */
  afterImport: string | undefined;
  baseUrl: URL;
  apiKey: string;
  /** The name of the submission; by default that of the file and a digest of what is sent. */
  reference: string | undefined;
  /** Control totals of the submission besides the number of lines, if any. */
  expected: Expected | undefined;
  /** What becomes of accounts that are imported already. */
  mode: Mode;
  concurrency: number;
  /** Path of the CSV file with all errors, if any. */
  errors: string | undefined;
  /** Path of the JSON summary, if any. */
  report: string | undefined;
  /** Path of the file for the refused lines of the book, if any. */
  rejected: string | undefined;
  /** Path of the file for the refused lines of the after-import file, if any. */
  rejectedAfterImport: string | undefined;
  /** Path of the file that remembers the after-import requests that are done, if any. */
  checkpoint: string | undefined;
  /** The accounts are checked, and none is scheduled. */
  validateOnly: boolean;
  /** The book is rehearsed: everything is checked and nothing is imported. */
  rehearse: boolean;
  /** The book is rehearsed first, and sent if the user confirms its plan. */
  plan: boolean;
  /** The plan needs no confirmation. */
  yes: boolean;
  /** Accounts with undocumented fields are not valid. */
  rejectUnknown: boolean;
  /** Of lines about the same account with different content, the last one is sent. */
  lastWins: boolean;
  wait: boolean;
  /** Time without an answer after which the user is told. */
  stallMs: number;
  /** Maximum time to wait while no process ends. */
  waitMs: number;
  /** Maximum time for which a request is retried. */
  retryMs: number;
  /** Timeout of a single request. */
  timeoutMs: number;
}

/** True if the book is sent as submissions. */
export function usesSubmissions({
  file,
  validateOnly,
}: Pick<ImportOptions, 'file' | 'validateOnly'>): boolean {
  return file !== undefined && !validateOnly;
}

type PathOption =
  | 'file'
  | 'afterImport'
  | 'errors'
  | 'report'
  | 'rejected'
  | 'rejectedAfterImport'
  | 'checkpoint';

type RawOptions = Partial<Record<PathOption | 'baseUrl' | 'apiKey' | 'reference' | 'expected', string>> &
  Partial<Record<'validateOnly' | 'rehearse' | 'plan' | 'yes' | 'rejectUnknown' | 'lastWins', true>> &
  Record<'concurrency' | 'waitMinutes' | 'retryMinutes' | 'timeoutSeconds' | 'stallSeconds', string> & {
    wait: boolean;
    mode: Mode;
  };

const MAX_REFERENCE_LENGTH = 128;

const MODES = ['create', 'correct', 'create-or-correct'] satisfies Mode[];

/** What control totals can be given for. */
const MEASURES = [
  'accounts',
  'customers',
  'supply_points',
  'readings',
  'statements',
  'statement_total',
  'transactions',
  'opening_balance',
  'opening_debits',
  'opening_credits',
  'payment_instructions',
  'debts',
  'documents',
] satisfies (keyof Expected)[];

/** Printed below the options. docs/suppliers-guide.md has the same in more words. */
const HELP = `
The book:
  NDJSON in UTF-8: one account per line, as {...} or {"payload": {...}, "task_params": {...}}. Blank lines are skipped,
  and files may be compressed with gzip. Lines with the same supplier and account number are found before anything is
  sent: equal lines are sent once, different ones are conflicts and not sent unless --last-wins is given.

The submission:
  The book is uploaded as one submission, or as one for each import_supplier and task_params. The same command resumes it
  after any interruption, and shows its outcome again once it is complete. At its end the tool prints the
  reconciliation: expected against received against imported. Lines that were not imported can be corrected and sent as a
  book of their own: --rejected has them.

The plan:
  With --plan the book is rehearsed first, as a submission of its own. The plan is one line, such as
  Create 12 · Correct 340 · Unchanged 99,601 · Refused 47
  with the first corrections and refusals before it. --errors and --rejected have those of the plan until the book is
  sent. Without a terminal and without --yes the run ends with the plan.

The after-import file:
  NDJSON: {"endpoint": "notes", "query": {...}, "body": {...}} per line. The endpoint is notes, transactions,
  historical-statements or payment-instruction. The query is optional. The body is that of the API. The lines of an
  account are sent in their order, one after the other:
  {"endpoint":"notes","body":{"import_supplier":"DEMO","external_account_number":"1","notes":[{"body":"Hello"}]}}

Exit codes:
  0    everything was imported, corrected or unchanged, or is valid with --validate-only; or --plan has ended with its plan
  1    some lines were refused, failed, conflict, differ from what exists, or are unfinished; the submission is not
       reconciled; or the run ended early
  2    the run could not start: an option, a file, the address, the key, the reference or the checkpoint is wrong
  130  stopped by Ctrl-C or SIGTERM after the requests in progress

It is safe to run the same command again after any of them.
`;

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
      'Sends a book of accounts (NDJSON, one account per line) through the public API as a submission, waits until ' +
        'they are imported, reconciles them, and then sends after-import requests. Safe to stop and run again: accounts and data that ' +
        'were already imported are skipped.',
    )
    .option('--file <path>', 'path of the book, plain or .gz; - is standard input')
    .option(
      '--after-import <path>',
      'path of the notes, transactions, statements and payment instructions for imported accounts (NDJSON, one ' +
        'request per line, see below); sent after the book, or without a book; - is standard input',
    )
    .option('--base-url <url>', 'URL of the service, e.g. https://import.example.com')
    .option(
      '--api-key <key>',
      'API key of your organisation; preferably set in the environment as PORTAGE_API_KEY',
    )
    .option(
      '--reference <name>',
      'your name of the submission, 1 to 128 characters; by default the name of the file and a digest of what is ' +
        'sent, so that the same file resumes its own submission',
    )
    .option(
      '--expected <totals>',
      'control totals for the reconciliation, e.g. accounts=100,opening_balance=12.30; accounts are by default the ' +
        'lines that are sent',
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'what becomes of accounts that are imported already: create refuses those with other content, correct corrects ' +
          'them and refuses accounts that are not imported, create-or-correct creates and corrects',
      )
        .choices(MODES)
        .default('create'),
    )
    .option(
      '--concurrency <n>',
      'maximum number of requests at the same time, of --validate-only and --after-import',
      '16',
    )
    .option(
      '--errors <path>',
      'write all errors of refused and errored accounts and requests to this CSV file',
    )
    .option('--report <path>', 'write the summary to this file as JSON')
    .option(
      '--rejected <path>',
      'write the refused and conflicting lines of the book to this file, unchanged',
    )
    .option('--rejected-after-import <path>', 'the same for the lines of the after-import file')
    .option(
      '--checkpoint <path>',
      'remember the requests of --after-import that are done in this file, so that another run does not send them ' +
        'again; a submission remembers its lines itself',
    )
    .option('--validate-only', 'check the accounts, and import none')
    .option(
      '--rehearse',
      'send the book as a submission of dry runs, which does everything but import: results and reconciliation are ' +
        'those that the import would have',
    )
    .option(
      '--plan',
      'rehearse the book first, print how many accounts it would create and correct, and send it if you confirm that at ' +
        'the terminal',
    )
    .option('--yes', 'with --plan: send the book without asking')
    .option(
      '--reject-unknown',
      'accounts with fields that the service does not know are not valid; the whole book is checked before it is sent, ' +
        'and not sent if there are any',
    )
    .option('--last-wins', 'of lines about the same account with different content, send the last one')
    .option('--no-wait', 'end after sending the book, without waiting until the accounts are processed')
    .option('--wait-minutes <n>', 'stop waiting if no account was processed for this long', '60')
    .option(
      '--retry-minutes <n>',
      'how long a request, or an upload without progress, is retried while the service cannot be reached',
      '3',
    )
    .option(
      '--timeout-seconds <n>',
      'timeout of a single request, and of an upload of which the service reads and stores nothing',
      '30',
    )
    .option('--stall-seconds <n>', 'print a line if the service has not answered for this long', '30')
    .addHelpText('after', HELP)
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
  const validateOnly = given.validateOnly ?? false;
  const options: ImportOptions = {
    file: given.file,
    afterImport: given.afterImport,
    baseUrl: parseBaseUrl(required(given.baseUrl, '--base-url', 'the URL of the service')),
    apiKey: required(given.apiKey ?? keyFromEnvironment, '--api-key', 'your key, or set PORTAGE_API_KEY'),
    reference: parseReference(given.reference),
    expected: given.expected === undefined ? undefined : parseExpected(given.expected),
    mode: given.mode,
    concurrency: parseWholeNumber(given.concurrency, '--concurrency', 1, 256),
    errors: given.errors,
    report: given.report,
    rejected: given.rejected,
    rejectedAfterImport: given.rejectedAfterImport,
    checkpoint: given.checkpoint,
    validateOnly,
    rehearse: given.rehearse ?? false,
    plan: given.plan ?? false,
    yes: given.yes ?? false,
    rejectUnknown: given.rejectUnknown ?? false,
    lastWins: given.lastWins ?? false,
    wait: given.wait,
    waitMs: parsePositive(given.waitMinutes, '--wait-minutes') * 60_000,
    retryMs: parsePositive(given.retryMinutes, '--retry-minutes') * 60_000,
    stallMs: parsePositive(given.stallSeconds, '--stall-seconds') * 1000,
    timeoutMs: parsePositive(given.timeoutSeconds, '--timeout-seconds') * 1000,
  };
  if (usesSubmissions(options))
    expectSubmission(options, command.getOptionValueSource('concurrency') === 'cli');
  else expectNoSubmission(options);
  return options;
}

function expectInput(given: RawOptions): void {
  const { file, afterImport, wait, validateOnly, rehearse, plan, yes, checkpoint } = given;
  if (file === undefined && afterImport === undefined) {
    throw new UsageError('--file is missing: give the path of the book, or give --after-import only.');
  }
  if (file !== undefined && afterImport !== undefined && !wait) {
    throw new UsageError(
      '--after-import is sent after the accounts are imported: leave out --no-wait, or send it in a separate run.',
    );
  }
  if (file === STANDARD_INPUT && afterImport === STANDARD_INPUT)
    throw new UsageError('Only one of --file and --after-import can be standard input.');
  if (rehearse === true && (file === undefined || afterImport !== undefined || validateOnly === true))
    throw new UsageError(
      '--rehearse imports no account that requests could be added to: give --file, and leave out --after-import and --validate-only.',
    );
  if (plan === true && (file === undefined || file === STANDARD_INPUT || validateOnly || rehearse))
    throw new UsageError(
      '--plan rehearses a book and then sends it: give the path of a file with --file, and leave out --validate-only and --rehearse.',
    );
  if (yes === true && plan !== true)
    throw new UsageError('--yes confirms a plan: give --plan, or leave it out.');
  if (validateOnly !== true) return;
  if (file === undefined || afterImport !== undefined)
    throw new UsageError('--validate-only checks a book: give --file and leave out --after-import.');
  if (checkpoint !== undefined)
    throw new UsageError('--validate-only sends nothing to remember: leave out --checkpoint.');
}

/** @param hasConcurrency true if --concurrency was given */
function expectSubmission({ afterImport, checkpoint }: ImportOptions, hasConcurrency: boolean): void {
  // With after-import requests, both are about those.
  if (afterImport !== undefined) return;
  if (checkpoint !== undefined)
    throw new UsageError(
      'A submission remembers its lines itself: leave out --checkpoint and run the same command again.',
    );
  if (hasConcurrency)
    throw new UsageError('A submission is uploaded in one request: leave out --concurrency.');
}

function expectNoSubmission({ file, reference, expected, mode, rejectUnknown }: ImportOptions): void {
  if (rejectUnknown && file === undefined)
    throw new UsageError('--reject-unknown is about accounts: give --file, or leave it out.');
  const given = {
    '--reference': reference,
    '--expected': expected,
    '--mode': mode === 'create' ? undefined : mode,
  };
  const [option] = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (option !== undefined)
    throw new UsageError(
      `${option} is about a submission: give --file, without --validate-only, or leave it out.`,
    );
}

function parseReference(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const reference = readIdentifier(value);
  if (reference === undefined || Array.from(reference).length > MAX_REFERENCE_LENGTH)
    throw new UsageError(`--reference must have 1 to ${MAX_REFERENCE_LENGTH} visible characters.`);
  return reference;
}

function parseExpected(value: string): Expected {
  const expected: Expected = {};
  for (const total of value.split(',')) {
    const [name = '', amount = '', ...rest] = total.split('=').map((part) => part.trim());
    const measure = MEASURES.find((known) => known === name);
    if (measure === undefined || rest.length > 0)
      throw new UsageError(
        `--expected ${value} is not valid at "${total}". Give totals such as accounts=100,opening_balance=12.30, of ${MEASURES.join(', ')}.`,
      );
    if (expected[measure] !== undefined) throw new UsageError(`--expected has ${measure} twice.`);
    if (measure === 'opening_balance' || measure === 'opening_debits' || measure === 'opening_credits') {
      if (!/^-?\d{1,17}(\.\d{1,2})?$/.test(amount))
        throw new UsageError(
          `--expected ${measure}=${amount} is not an amount with at most two decimals, such as -12.30.`,
        );
      expected[measure] = amount;
    } else {
      if (!/^\d{1,15}$/.test(measure === 'statement_total' ? amount.replace(/^-/, '') : amount))
        throw new UsageError(`--expected ${measure}=${amount} is not a whole number.`);
      expected[measure] = Number(amount);
    }
  }
  return expected;
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

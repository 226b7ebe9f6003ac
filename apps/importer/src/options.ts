import { readIdentifier } from '@portage/text';
import { Command, Option } from 'commander';
import { BOOK_KINDS, type BookKind } from './book/book-line';
import { STANDARD_INPUT } from './book/json-lines-file';
import { AMOUNTS, type Expected, MEASURES } from './book/expected';
import { parseCommand } from './parse-command';
import type { Mode } from './submission/open-submission';
import { UsageError } from './usage-error';

/** The validated options of import-book. */
export interface ImportOptions {
  /** Path of the book; `-` is standard input. Empty if a mapping makes it. */
  file: string;
  /** Path of the mapping file that makes the book; undefined if there is a book. */
  mapping: string | undefined;
  /** What its lines have. */
  kind: BookKind;
  baseUrl: URL;
  apiKey: string;
  /** The name of the submission; by default that of the file and a digest of what is sent. */
  reference: string | undefined;
  /** Control totals of the submission besides the number of lines, if any. */
  expected: Expected | undefined;
  /** What becomes of accounts that are imported already. */
  mode: Mode;
  /** Path of the CSV file with all errors, if any. */
  errors: string | undefined;
  /** Path of the JSON summary, if any. */
  report: string | undefined;
  /** Path of the file for the refused lines of the book, or for the rows of a mapping, if any. */
  rejected: string | undefined;
  /** Path of the CSV file with the outcome of each row of a mapping. */
  results: string;
  /** The book is rehearsed: everything is checked and nothing is imported. */
  rehearse: boolean;
  /** The book is rehearsed first, and sent if the user confirms its plan. */
  plan: boolean;
  /** The plan needs no confirmation. */
  yes: boolean;
  /** Of lines about the same account with different content, the last one is sent. */
  lastWins: boolean;
  wait: boolean;
  /** Maximum time to wait while no process ends. */
  waitMs: number;
  /** Maximum time for which a request is retried. */
  retryMs: number;
  /** Timeout of a single request. */
  timeoutMs: number;
}

type PathOption = 'file' | 'mapping' | 'errors' | 'report' | 'rejected' | 'results';

type RawOptions = Partial<Record<PathOption | 'baseUrl' | 'apiKey' | 'reference' | 'expected', string>> &
  Partial<Record<'rehearse' | 'plan' | 'yes' | 'lastWins', true>> &
  Record<'waitMinutes' | 'retryMinutes' | 'timeoutSeconds', string> & {
    wait: boolean;
    mode: Mode;
    kind: BookKind;
  };

const MAX_REFERENCE_LENGTH = 128;

const MODES = ['create', 'correct', 'create-or-correct'] satisfies Mode[];

/** Printed below the options. docs/suppliers-guide.md has the same in more words. */
const HELP = `
The book:
  NDJSON in UTF-8: one account per line, as {...} or {"payload": {...}, "task_params": {...}}. Blank lines are skipped,
  and files may be compressed with gzip. Lines with the same supplier and account number are found before anything is
  sent: equal lines are sent once, different ones are conflicts and not sent unless --last-wins is given.

The submission:
  The book is uploaded as one submission, so its lines have one import_supplier and the same task_params. The same command
  resumes it after any interruption, and shows its outcome again once it is complete. At its end the tool prints the
  reconciliation: expected against received against imported. Lines that were not imported can be corrected and sent as a
  book of their own: --rejected has them.

The plan:
  With --plan the book is rehearsed first, as a submission of its own. The plan is one line, such as
  Create 12 · Correct 340 · Unchanged 99,601 · Refused 47
  with the first corrections and refusals before it. --errors and --rejected have those of the plan until the book is
  sent. Without a terminal and without --yes the run ends with the plan.

A book of additions (--kind additions):
  NDJSON: notes, transactions, historical statements or a payment instruction for one imported account per line, under the
  name of the kind. The body is that of the API. Everything else is as for accounts, but for --mode, --plan and
  --last-wins. The lines of an account are performed in their order:
  {"notes":{"import_supplier":"DEMO","external_account_number":"1","notes":[{"body":"Hello"}]}}
  {"transactions":{...},"check_previously_added":false,"force_add_to_current_statement":false}
  {"historical_statements":{...}}
  {"payment_instruction":{...}}

Exit codes:
  0    everything was imported, corrected or unchanged, or would be (--rehearse); or --plan has ended with its plan
  1    some lines were refused, failed, conflict, differ from what exists, or are unfinished; the submission is not
       reconciled; or the run ended early
  2    the run could not start: an option, a file, the address, the key or the reference is wrong
  130  stopped by Ctrl-C or SIGTERM after the requests in progress

It is safe to run the same command again after any of them.

From CSV files to a book:
  import-book map --help. With --mapping instead of --file all of it is done at once: the accounts without errors are
  sent, and --results and --rejected have the rows of the CSV files.
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
      'Sends a book (NDJSON) of accounts, or of additions to imported accounts, through the public API as a submission, ' +
        'waits until its lines have come to their end, and reconciles them. Safe to stop and run again: what was ' +
        'imported or added already is skipped.',
    )
    .option('--file <path>', 'path of the book, plain or .gz; - is standard input')
    .option('--mapping <path>', 'path of a mapping file (YAML), which makes the book of CSV files')
    .addOption(
      new Option(
        '--kind <kind>',
        'what the lines of the book have: accounts, or additions to imported accounts',
      )
        .choices(BOOK_KINDS)
        .default('accounts'),
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
      'control totals for the reconciliation, e.g. accounts=100,opening_balance=12.30; by default the ' +
        'number of lines that are sent, and for additions all totals of the file',
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
      '--errors <path>',
      'write all errors of refused and errored accounts and additions to this CSV file',
    )
    .option('--report <path>', 'write the summary to this file as JSON')
    .option(
      '--rejected <path>',
      'write the refused and conflicting lines of the book to this file, unchanged; with --mapping the rows of its files',
    )
    .option(
      '--results <path>',
      'with --mapping: write the outcome and the errors of each row to this CSV file (default: "results.csv")',
    )
    .option(
      '--rehearse',
      'check the book: send it as a submission of dry runs, which does everything but import. Errors, results and ' +
        'reconciliation are those that the import would have',
    )
    .option(
      '--plan',
      'rehearse the book first, print how many accounts it would create and correct, and send it if you confirm that at ' +
        'the terminal',
    )
    .option('--yes', 'with --plan: send the book without asking')
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
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  if (!parseCommand(command, args, 'with --help')) return undefined;
  const given = command.opts<RawOptions>();
  const options: ImportOptions = {
    file: given.mapping === undefined ? required(given.file, '--file', 'the path of the book') : '',
    mapping: given.mapping,
    kind: given.kind,
    baseUrl: parseBaseUrl(required(given.baseUrl, '--base-url', 'the URL of the service')),
    apiKey: required(given.apiKey ?? keyFromEnvironment, '--api-key', 'your key, or set PORTAGE_API_KEY'),
    reference: parseReference(given.reference),
    expected: given.expected === undefined ? undefined : parseExpected(given.expected),
    mode: given.mode,
    errors: given.errors,
    report: given.report,
    rejected: given.rejected,
    results: given.results ?? 'results.csv',
    rehearse: given.rehearse ?? false,
    plan: given.plan ?? false,
    yes: given.yes ?? false,
    lastWins: given.lastWins ?? false,
    wait: given.wait,
    waitMs: parsePositive(given.waitMinutes, '--wait-minutes') * 60_000,
    retryMs: parsePositive(given.retryMinutes, '--retry-minutes') * 60_000,
    timeoutMs: parsePositive(given.timeoutSeconds, '--timeout-seconds') * 1000,
  };
  expectOneSource(given);
  expectConsistent(options);
  return options;
}

/** A mapping checks and lists its accounts in the words of its rows. */
function expectOneSource({ file, mapping, results, errors }: RawOptions): void {
  if (mapping === undefined) {
    if (results !== undefined)
      throw new UsageError('--results lists the rows of a mapping: give --mapping, or --errors instead.');
    return;
  }
  const instead = {
    '--file': [file, 'the mapping makes the book'],
    '--errors': [errors, '--results has the errors'],
  };
  for (const [option, [value, reason]] of Object.entries(instead))
    if (value !== undefined) throw new UsageError(`${option} is not for a mapping: ${String(reason)}.`);
}

function expectConsistent({ file, kind, mode, rehearse, plan, yes, lastWins }: ImportOptions): void {
  const ofAccounts = { '--mode': mode !== 'create', '--plan': plan, '--last-wins': lastWins };
  const [misplaced] =
    kind === 'additions' ? (Object.entries(ofAccounts).find(([, isGiven]) => isGiven) ?? []) : [];
  if (misplaced !== undefined)
    throw new UsageError(
      `${misplaced} is about accounts: leave it out with --kind additions. --rehearse checks a book of additions.`,
    );
  if (plan && (file === STANDARD_INPUT || rehearse))
    throw new UsageError(
      '--plan rehearses a book and then sends it: give the path of a file with --file, and leave out --rehearse.',
    );
  if (yes && !plan) throw new UsageError('--yes confirms a plan: give --plan, or leave it out.');
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
    if (AMOUNTS.includes(measure)) {
      if (!/^-?\d{1,17}(\.\d{1,2})?$/.test(amount))
        throw new UsageError(
          `--expected ${measure}=${amount} is not an amount with at most two decimals, such as -12.30.`,
        );
      Object.assign(expected, { [measure]: amount });
    } else {
      if (!/^\d{1,15}$/.test(measure === 'statement_total' ? amount.replace(/^-/, '') : amount))
        throw new UsageError(`--expected ${measure}=${amount} is not a whole number.`);
      Object.assign(expected, { [measure]: Number(amount) });
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

function parsePositive(value: string, option: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0)
    throw new UsageError(`${option} ${value} is not a number above 0.`);
  return number;
}

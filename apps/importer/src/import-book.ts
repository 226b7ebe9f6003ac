import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { PortageClient } from '@portage/client';
import { signIn } from './api/sign-in';
import { AccountIndex } from './book/account-index';
import { type BookKind, parserOf } from './book/book-line';
import { JsonLinesFile } from './book/json-lines-file';
import { scanFile } from './book/scan-file';
import { MappedBook } from './mapping/mapped-book';
import { readMapping } from './mapping/mapping';
import { rejectedPaths } from './mapping/rejected-rows';
import { expectOtherPaths } from './mapping/run-map';
import type { ImportOptions } from './options';
import { ErrorFile, noErrorFile } from './run/error-file';
import { noRejectedLines, RejectedLinesFile } from './run/rejected-lines';
import type { RunContext } from './run/run-context';
import type { Summary } from './run/summary';
import { withProgress } from './run/with-progress';
import type { BookPlan } from './submission/book-plan';
import { sendSubmission } from './submission/send-submission';
import type { SubmissionOutcome } from './submission/submission-outcome';
import { BookContents } from './submission/book-contents';
import { LineOutcomes } from './submission/line-outcomes';
import { UsageError } from './usage-error';

/** The outcome of a run. */
export interface ImportOutcome {
  /** Summary of the book; undefined if the run ended before it. */
  summary: Summary | undefined;
  /** The submission of the book; undefined if there was none. */
  submission: SubmissionOutcome | undefined;
  /** What sending the book would do; undefined unless it was rehearsed for its plan. */
  plan: BookPlan | undefined;
  /** The error that ended the run early. The summary includes everything done until then. */
  failure: Error | undefined;
  /** The most frequent errors of a book that was mapped, in the words of its source, a line each. */
  rowErrors?: readonly string[];
}

const NOTHING_SENT: ImportOutcome = {
  summary: undefined,
  submission: undefined,
  plan: undefined,
  failure: undefined,
};

/** What is sent: a book, or one that a mapping has made. */
export interface BookSource {
  readonly book: JsonLinesFile;
  readonly mapped: MappedBook | undefined;
  close(): Promise<void>;
}

/**
 * Opens the book, or makes it by a mapping, once the service has accepted the key.
 *
 * @throws UsageError if a file is missing or broken, the mapping is wrong, the service cannot be reached or the key is
 *   rejected
 */
export async function openSource(options: ImportOptions, context: RunContext): Promise<BookSource> {
  const { stop, clock, random, standardInput } = context;
  const { results, report, rejected } = options;
  await expectWritableFolders(options.mapping === undefined ? [report] : [report, results, rejected]);
  if (options.mapping === undefined) {
    const book = await JsonLinesFile.open(options.file, stop.signal, standardInput);
    return { book, mapped: undefined, close: async () => book.close() };
  }
  const mapping = await readMapping(options.mapping, options.kind);
  expectOtherPaths([results, report, ...rejectedPaths(rejected, mapping)], options.mapping, mapping);
  await signIn(options, stop.signal, clock, random);
  try {
    const mapped = await MappedBook.make(options.mapping, mapping, new Date(clock.now()), context);
    return { book: mapped.book, mapped, close: async () => mapped.close() };
  } finally {
    context.progress.end();
  }
}

/**
 * Sends a book of accounts or of additions, and waits until its lines have come to their end. The file is read once
 * before, so that a broken file and conflicting lines are found before anything is sent.
 *
 * @throws UsageError if the run could not start: the file is broken, the service cannot be reached, the key is
 *   rejected, or the book is of the other kind
 */
export async function importBook(
  source: BookSource,
  options: ImportOptions,
  context: RunContext,
): Promise<ImportOutcome> {
  if (context.stop.signal.aborted) return NOTHING_SENT;
  try {
    return await run(options, context, source);
  } finally {
    context.progress.end();
  }
}

async function run(
  options: ImportOptions,
  context: RunContext,
  { book, mapped }: BookSource,
): Promise<ImportOutcome> {
  const { stop, clock, random } = context;
  await expectOtherFiles(options, book);
  const portage = await signIn(options, stop.signal, clock, random);

  const index = new AccountIndex(options.lastWins);
  const contents = new BookContents(options.kind);
  // A mapping whose rows are all wrong has made no line.
  if (mapped === undefined || mapped.outcome.lines > 0)
    await scanBook(book, index, contents, options, context);
  if (stop.signal.aborted) return NOTHING_SENT;
  if (mapped !== undefined) return sendMapped(mapped, portage, { index, contents }, options, context);

  const opened: Closable[] = [];
  const keep = <File extends Closable>(file: File): File => {
    opened.push(file);
    return file;
  };
  try {
    const rejected = keep(
      options.rejected === undefined ? noRejectedLines : await RejectedLinesFile.create(options.rejected),
    );
    const errors = keep(options.errors === undefined ? noErrorFile : await ErrorFile.create(options.errors));
    const parts = { errors, rejected, index, contents };
    const sent = await sendSubmission(book, portage, parts, options, context);
    await rejected.write(book);
    return sent;
  } finally {
    await closeAll(opened);
  }
}

/** Sends a book that was mapped, and lists what has become of its rows. */
async function sendMapped(
  mapped: MappedBook,
  portage: PortageClient,
  parts: { index: AccountIndex; contents: BookContents },
  options: ImportOptions,
  context: RunContext,
): Promise<ImportOutcome> {
  const outcomes = await LineOutcomes.create();
  try {
    const { errors, rejected } = outcomes;
    const nameLine = (line: number) => mapped.nameLine(line);
    const totals = mapped.mapper.totals.toExpected();
    const hasTotals = Object.keys(totals).length > 0 || options.expected !== undefined;
    const expected = hasTotals ? { ...totals, ...options.expected } : undefined;
    const sending = { ...parts, errors, rejected, outcomes, nameLine };
    const sent = await sendSubmission(mapped.book, portage, sending, { ...options, expected }, context);
    if (!outcomes.isComplete) return sent;
    try {
      const rowErrors = await mapped.report(options, outcomes, parts.index, context);
      return { ...sent, rowErrors };
    } catch (error) {
      // What was sent is sent: the summary says it without the results.
      const { message } = error as Error;
      return { ...sent, failure: new Error(`${options.results} is not written: ${message}`) };
    }
  } finally {
    await outcomes.close();
  }
}

interface Closable {
  close(): Promise<void>;
}

/** Closes all files, and reports the first that could not be written to its end. */
async function closeAll(files: readonly Closable[]): Promise<void> {
  const outcomes = await Promise.allSettled(files.map(async (file) => file.close()));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Fails before the run instead of at its end. */
async function expectWritableFolders(paths: readonly (string | undefined)[]): Promise<void> {
  for (const path of paths.filter((given) => given !== undefined))
    await access(dirname(path), constants.W_OK).catch(() => {
      throw new UsageError(`${path} cannot be written. Give a path in a folder that exists.`);
    });
}

/** Writing to the file that is being read would destroy it. */
async function expectOtherFiles(options: ImportOptions, book: JsonLinesFile): Promise<void> {
  const outputs = {
    '--errors': options.errors,
    '--report': options.report,
    '--rejected': options.rejected,
  };
  const seen = new Map<string, string>();
  for (const [option, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    const other = seen.get(resolve(path));
    if (other !== undefined)
      throw new UsageError(`${other} and ${option} are the same file. Give two paths.`);
    seen.set(resolve(path), option);
    if (await book.isAt(path))
      throw new UsageError(`${option} ${path} is the file to be sent. Give another path.`);
  }
}

/** @throws UsageError if the file is broken, or a line belongs to a book of the other kind */
async function scanBook(
  book: JsonLinesFile,
  index: AccountIndex,
  contents: BookContents,
  { kind }: ImportOptions,
  { progress, progressEveryMs, stop }: RunContext,
): Promise<void> {
  const step = () => [{ label: 'read', fraction: book.fractionRead, details: book.path }];
  await withProgress(progress, progressEveryMs, step, () =>
    scanFile(
      book,
      parserOf(kind),
      (line) => {
        if (line.kind === 'item') {
          if (line.isOfOtherKind) throw otherKind(line.line, kind);
          index.add(line);
        }
        contents.add(line, index);
      },
      stop.signal,
    ),
  );
  index.finish();
}

function otherKind(line: number, kind: BookKind): UsageError {
  return new UsageError(
    kind === 'accounts'
      ? `Line ${line} is an addition to an account, so nothing was sent. Send a book of additions with --kind additions.`
      : `Line ${line} is an account, so nothing was sent. Send a book of accounts without --kind additions.`,
  );
}

import { resolve } from 'node:path';
import type { PortageClient } from '@portage/client';
import { AnswerWatch } from './api/answer-watch';
import { signIn } from './api/sign-in';
import { AccountIndex } from './book/account-index';
import { type BookKind, parserOf } from './book/book-line';
import { JsonLinesFile } from './book/json-lines-file';
import { scanFile } from './book/scan-file';
import type { ImportOptions } from './options';
import { ErrorFile, type ErrorList, noErrorFile } from './run/error-file';
import { noRejectedLines, RejectedLinesFile } from './run/rejected-lines';
import type { RunContext } from './run/run-context';
import { UNKNOWN_FIELD, validateBook, type ValidationParts } from './run/validate-book';
import type { Summary } from './run/validation-tally';
import { withProgress } from './run/with-progress';
import type { BookPlan } from './submission/book-plan';
import { sendSubmissions, type SentBook } from './submission/send-submissions';
import type { SubmissionOutcome } from './submission/submission-outcome';
import { LineGroups } from './submission/line-groups';
import { UsageError } from './usage-error';

/** The outcome of a run. */
export interface ImportOutcome {
  /** Summary of the book; undefined if the run ended before it. */
  summary: Summary | undefined;
  /** The submissions of the book; empty if there were none. */
  submissions: readonly SubmissionOutcome[];
  /** What sending the book would do; undefined unless it was rehearsed for its plan. */
  plan: BookPlan | undefined;
  /** The error that ended the run early. The summary includes everything done until then. */
  failure: Error | undefined;
}

/**
 * Sends a book of accounts or of additions, and waits until its lines have come to their end. The file is read once
 * before, so that a broken file and conflicting lines are found before anything is sent.
 *
 * @throws UsageError if the run could not start: a file is missing or broken, the service cannot be reached, the key is
 *   rejected, or the book is of the other kind
 */
export async function importBook(options: ImportOptions, context: RunContext): Promise<ImportOutcome> {
  const watch = new AnswerWatch(context.clock);
  const watching = watchAnswers(watch, options.stallMs, context);
  let book: JsonLinesFile | undefined;
  try {
    book = await JsonLinesFile.open(options.file, context.stop.signal, context.standardInput);
    return await run(options, context, book, watch);
  } finally {
    clearInterval(watching);
    noticeAnswers(watch, options.stallMs, context);
    context.progress.end();
    await book?.close();
  }
}

async function run(
  options: ImportOptions,
  context: RunContext,
  book: JsonLinesFile,
  watch: AnswerWatch,
): Promise<ImportOutcome> {
  const { stop, clock, random } = context;
  await expectOtherFiles(options, book);
  const { portage } = await signIn(options, stop.signal, clock, random, watch);

  const index = new AccountIndex(options.lastWins);
  const lineGroups = new LineGroups(options.kind);
  await scanBook(book, index, lineGroups, options, context);
  if (stop.signal.aborted)
    return { summary: undefined, submissions: [], plan: undefined, failure: undefined };

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
    const sent = await sendBook(book, portage, { errors, rejected, index, lineGroups }, options, context);
    await rejected.write(book);
    return sent;
  } finally {
    await closeAll(opened);
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

async function sendBook(
  book: JsonLinesFile,
  portage: PortageClient,
  { lineGroups, ...parts }: ValidationParts & { lineGroups: LineGroups },
  options: ImportOptions,
  context: RunContext,
): Promise<SentBook> {
  if (options.validateOnly)
    return {
      ...(await validateBook(book, portage, parts, options, context)),
      submissions: [],
      plan: undefined,
    };
  const refused = options.rejectUnknown
    ? await refuseUnknown(book, portage, parts, options, context)
    : undefined;
  return refused ?? sendSubmissions(book, portage, { ...parts, lineGroups }, options, context);
}

/**
 * Checks a book that is to be sent, and lists the accounts with fields that the service does not know. Other errors are
 * listed once the book was sent.
 *
 * @returns undefined if the book can be sent
 */
async function refuseUnknown(
  book: JsonLinesFile,
  portage: PortageClient,
  { errors, rejected, index }: ValidationParts,
  options: ImportOptions,
  context: RunContext,
): Promise<SentBook | undefined> {
  const lines = new Set<number>();
  const unknownOnly: ErrorList = {
    ...noErrorFile,
    add: (item, stage, error) => {
      if (error.code !== UNKNOWN_FIELD) return;
      errors.add(item, stage, error);
      lines.add(item.line);
    },
  };
  const parts = { errors: unknownOnly, rejected: noRejectedLines, index };
  const checked = await validateBook(book, portage, parts, options, context);
  if (checked.failure === undefined && lines.size === 0) return undefined;
  for (const line of lines) rejected.add(line);
  const failure =
    checked.failure ??
    new Error(
      `${lines.size} accounts have fields that the service does not know (--reject-unknown), so nothing was sent`,
    );
  return { summary: checked.summary, submissions: [], plan: undefined, failure };
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
  lineGroups: LineGroups,
  { kind, validateOnly }: ImportOptions,
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
        if (!validateOnly) lineGroups.add(line, index);
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

const MAX_NOTICE_INTERVAL_MS = 1000;

function watchAnswers(watch: AnswerWatch, stallMs: number, context: RunContext): NodeJS.Timeout {
  return setInterval(
    () => {
      noticeAnswers(watch, stallMs, context);
    },
    Math.min(MAX_NOTICE_INTERVAL_MS, stallMs),
  );
}

function noticeAnswers(watch: AnswerWatch, stallMs: number, { progress }: RunContext): void {
  const line = watch.notice(stallMs);
  if (line !== undefined) progress.note(line);
}

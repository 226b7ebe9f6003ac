import { resolve } from 'node:path';
import type { PortageClient } from '@portage/client';
import type { AfterImportSummary } from './after-import/after-import-tally';
import { parseRequestLine } from './after-import/request-line';
import { sendAfterImport } from './after-import/send-after-import';
import { AnswerWatch } from './api/answer-watch';
import { signIn } from './api/sign-in';
import { AccountIndex } from './book/account-index';
import { parseBookLine } from './book/book-line';
import { type FileOption, JsonLinesFile } from './book/json-lines-file';
import { scanFile } from './book/scan-file';
import { type ImportOptions, usesSubmissions } from './options';
import { Checkpoint, noCheckpoint } from './run/checkpoint';
import type { CountByCode } from './run/counts';
import { ErrorFile, type ErrorList, noErrorFile } from './run/error-file';
import { noRejectedLines, type RejectedLines, RejectedLinesFile } from './run/rejected-lines';
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
  /** Summary of the book; undefined if there was none or the run ended before it. */
  summary: Summary | undefined;
  /** The submissions of the book; empty if there were none. */
  submissions: readonly SubmissionOutcome[];
  /** What sending the book would do; undefined unless it was rehearsed for its plan. */
  plan: BookPlan | undefined;
  /** Summary of the after-import file; undefined if there was none or the run ended before it. */
  afterImport: AfterImportSummary | undefined;
  /** Values of after-import requests that the service ignored, by path; undefined without such requests. */
  afterImportIgnoredFields: CountByCode | undefined;
  /** The error that ended the run early. The summaries include everything done until then. */
  failure: Error | undefined;
}

/** The files that a run reads. */
interface Inputs {
  book: JsonLinesFile | undefined;
  additions: JsonLinesFile | undefined;
}

/**
 * Sends a book of accounts, waits until the accounts are imported, and then sends the after-import file. Both files are
 * read once before, so that broken files and conflicting lines are found before anything is sent.
 *
 * @throws UsageError if the run could not start: a file is missing or broken, the service cannot be reached, the key is
 *   rejected, or the checkpoint belongs to something else
 */
export async function importBook(options: ImportOptions, context: RunContext): Promise<ImportOutcome> {
  const open = (path: string | undefined, option: FileOption) =>
    path === undefined
      ? undefined
      : JsonLinesFile.open(path, option, context.stop.signal, context.standardInput);
  const inputs: Inputs = { book: undefined, additions: undefined };
  const watch = new AnswerWatch(context.clock);
  const watching = watchAnswers(watch, options.stallMs, context);
  try {
    inputs.book = await open(options.file, '--file');
    inputs.additions = await open(options.afterImport, '--after-import');
    return await run(options, context, inputs, watch);
  } finally {
    clearInterval(watching);
    noticeAnswers(watch, options.stallMs, context);
    context.progress.end();
    await inputs.book?.close();
    await inputs.additions?.close();
  }
}

async function run(
  options: ImportOptions,
  context: RunContext,
  { book, additions }: Inputs,
  watch: AnswerWatch,
): Promise<ImportOutcome> {
  const { stop, clock, random } = context;
  const isStopped = (): boolean => stop.signal.aborted;
  await expectOtherFiles(options, [book, additions]);
  const { portage, organisation } = await signIn(options, stop.signal, clock, random, watch);

  const index = new AccountIndex(options.lastWins);
  const lineGroups = usesSubmissions(options) ? new LineGroups() : undefined;
  await scanBook(book, index, lineGroups, context);
  const digest = await scanAdditions(additions, context);
  const notStarted = {
    summary: undefined,
    submissions: [],
    plan: undefined,
    afterImport: undefined,
    afterImportIgnoredFields: undefined,
  };
  if (isStopped()) return { ...notStarted, failure: undefined };

  const { origin, pathname } = options.baseUrl;
  const baseUrl = origin + pathname.replace(/\/*$/, '/');
  const opened: Closable[] = [];
  const keep = <File extends Closable>(file: File): File => {
    opened.push(file);
    return file;
  };
  try {
    const checkpoint = keep(
      options.checkpoint === undefined
        ? noCheckpoint
        : await Checkpoint.open(options.checkpoint, { baseUrl, organisation, digest }),
    );
    const rejected = keep(await createRejected(options.rejected));
    const rejectedAdditions = keep(await createRejected(options.rejectedAfterImport));
    const errors = keep(options.errors === undefined ? noErrorFile : await ErrorFile.create(options.errors));
    const parts = { errors, rejected, index, lineGroups };
    const imported = book && (await sendAccounts(book, portage, parts, options, context));
    const added =
      additions && !isStopped()
        ? await sendAfterImport(
            additions,
            portage,
            { errors, rejected: rejectedAdditions, checkpoint },
            options.concurrency,
            context,
          )
        : undefined;
    await rejected.write(book);
    await rejectedAdditions.write(additions);
    return {
      summary: imported?.summary,
      submissions: imported?.submissions ?? [],
      plan: imported?.plan,
      afterImport: added?.summary,
      afterImportIgnoredFields: added?.ignoredFields,
      failure: imported?.failure ?? added?.failure,
    };
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

/** @param lineGroups undefined if the accounts are only checked */
async function sendAccounts(
  book: JsonLinesFile,
  portage: PortageClient,
  { lineGroups, ...parts }: ValidationParts & { lineGroups: LineGroups | undefined },
  options: ImportOptions,
  context: RunContext,
): Promise<SentBook> {
  if (lineGroups !== undefined) {
    const refused = options.rejectUnknown
      ? await refuseUnknown(book, portage, parts, options, context)
      : undefined;
    return refused ?? sendSubmissions(book, portage, { ...parts, lineGroups }, options, context);
  }
  return {
    ...(await validateBook(book, portage, parts, options, context)),
    submissions: [],
    plan: undefined,
  };
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
  context.stop.stop();
  const failure =
    checked.failure ??
    new Error(
      `${lines.size} accounts have fields that the service does not know (--reject-unknown), so nothing was sent`,
    );
  return { summary: checked.summary, submissions: [], plan: undefined, failure };
}

/** Writing to the file that is being read would destroy it. */
async function expectOtherFiles(
  options: ImportOptions,
  inputs: (JsonLinesFile | undefined)[],
): Promise<void> {
  const outputs = {
    '--errors': options.errors,
    '--report': options.report,
    '--rejected': options.rejected,
    '--rejected-after-import': options.rejectedAfterImport,
    '--checkpoint': options.checkpoint,
  };
  const seen = new Map<string, string>();
  for (const [option, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    const other = seen.get(resolve(path));
    if (other !== undefined)
      throw new UsageError(`${other} and ${option} are the same file. Give two paths.`);
    seen.set(resolve(path), option);
    for (const input of inputs) {
      if ((await input?.isAt(path)) === true)
        throw new UsageError(`${option} ${path} is the file to be sent. Give another path.`);
    }
  }
}

async function scanBook(
  book: JsonLinesFile | undefined,
  index: AccountIndex,
  lineGroups: LineGroups | undefined,
  context: RunContext,
): Promise<void> {
  if (book === undefined) return;
  await scan(book, context, () =>
    scanFile(
      book,
      '--file',
      parseBookLine,
      (line) => {
        if (line.kind === 'account') index.add(line);
        lineGroups?.add(line);
      },
      context.stop.signal,
    ),
  );
  index.finish();
}

async function scanAdditions(
  additions: JsonLinesFile | undefined,
  context: RunContext,
): Promise<string | undefined> {
  if (additions === undefined) return undefined;
  return scan(additions, context, () =>
    scanFile(additions, '--after-import', parseRequestLine, () => undefined, context.stop.signal),
  );
}

function scan<T>(file: JsonLinesFile, context: RunContext, work: () => Promise<T>): Promise<T> {
  const { progress, progressEveryMs } = context;
  const step = () => [{ label: 'read', fraction: file.fractionRead, details: file.path }];
  return withProgress(progress, progressEveryMs, step, work);
}

async function createRejected(path: string | undefined): Promise<RejectedLines> {
  return path === undefined ? noRejectedLines : RejectedLinesFile.create(path);
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

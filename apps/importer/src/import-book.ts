import { type AfterImportSummary } from './after-import/after-import-tally';
import { sendAfterImport } from './after-import/send-after-import';
import { signIn } from './api/sign-in';
import { JsonLinesFile } from './book/json-lines-file';
import { type ImportOptions } from './options';
import { ErrorFile, noErrorFile } from './run/error-file';
import { sendBook } from './run/send-book';
import { type RunContext } from './run/run-context';
import { type Summary } from './run/tally';

/** The outcome of a run. */
export interface ImportOutcome {
  /** Summary of the book; undefined if there was none. */
  summary: Summary | undefined;
  /** Summary of the after-import file; undefined if there was none or the run ended before it. */
  afterImport: AfterImportSummary | undefined;
  /** The error that ended the run early. The summaries include everything done until then. */
  failure: Error | undefined;
}

/**
 * Sends a book of accounts, waits until the accounts are imported, and then sends the after-import file.
 *
 * @throws UsageError if the run could not start: a file is missing, the service cannot be reached, or the key is
 *   rejected
 */
export async function importBook(options: ImportOptions, context: RunContext): Promise<ImportOutcome> {
  const { stop, progress, clock, random } = context;
  const book = options.file === undefined ? undefined : await JsonLinesFile.open(options.file, '--file');
  const additions =
    options.afterImport === undefined
      ? undefined
      : await JsonLinesFile.open(options.afterImport, '--after-import');
  const requests = await signIn(options, stop.signal, clock, random);
  const errors = options.errors === undefined ? noErrorFile : await ErrorFile.create(options.errors);

  const imported = book && (await sendBook(book, requests, errors, options, context));
  const added =
    additions && !stop.signal.aborted
      ? await sendAfterImport(additions, requests, errors, options.concurrency, context)
      : undefined;
  progress.end();
  await errors.close();
  return {
    summary: imported?.summary,
    afterImport: added?.summary,
    failure: imported?.failure ?? added?.failure,
  };
}

import { type AfterImportSummary } from './after-import/after-import-tally';
import { sendAfterImport } from './after-import/send-after-import';
import { signIn } from './api/sign-in';
import { JsonLinesFile } from './book/json-lines-file';
import { type ImportOptions } from './options';
import { ErrorFile, noErrorFile } from './run/error-file';
import { sendBook } from './run/send-book';
import { type Surroundings } from './run/surroundings';
import { type Summary } from './run/tally';

export interface ImportOutcome {
  /** Of the book; undefined when there was none. */
  summary: Summary | undefined;
  /** Of what was added after the import; undefined when there was nothing to add or the run ended before. */
  afterImport: AfterImportSummary | undefined;
  /** What ended the run before its time. What was done until then is in the summaries all the same. */
  failure: Error | undefined;
}

/**
 * Sends a book of accounts, waits for the accounts to be imported, and adds to them what is to be added then.
 *
 * @throws UsageError when nothing could be begun: no such file, no such address, key refused
 */
export async function importBook(options: ImportOptions, around: Surroundings): Promise<ImportOutcome> {
  const { stop, progress, clock, random } = around;
  const book = options.file === undefined ? undefined : await JsonLinesFile.open(options.file, '--file');
  const additions =
    options.afterImport === undefined
      ? undefined
      : await JsonLinesFile.open(options.afterImport, '--after-import');
  const requests = await signIn(options, stop.signal, clock, random);
  const errors = options.errors === undefined ? noErrorFile : await ErrorFile.create(options.errors);

  const imported = book && (await sendBook(book, requests, errors, options, around));
  const added =
    additions && !stop.signal.aborted
      ? await sendAfterImport(additions, requests, errors, options.concurrency, around)
      : undefined;
  progress.end();
  await errors.close();
  return {
    summary: imported?.summary,
    afterImport: added?.summary,
    failure: imported?.failure ?? added?.failure,
  };
}

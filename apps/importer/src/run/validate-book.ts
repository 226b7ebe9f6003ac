import { type FieldError, type PortageClient, Unreachable } from '@portage/client';
import { ALREADY_IMPORTED, DataImportApi } from '../api/data-import-api';
import type { AccountIndex } from '../book/account-index';
import { type BookItem, type BookLine, parserOf } from '../book/book-line';
import type { JsonLinesFile } from '../book/json-lines-file';
import { payloadDigest } from '../book/payload-digest';
import type { ImportOptions } from '../options';
import type { ErrorList } from './error-file';
import { forEachConcurrently } from './for-each-concurrently';
import type { Step } from './progress';
import type { RejectedLines } from './rejected-lines';
import type { RunContext } from './run-context';
import { type Summary, ValidationTally } from './validation-tally';
import { withProgress } from './with-progress';

/** What the validation decides by and where it reports. */
export interface ValidationParts {
  errors: ErrorList;
  rejected: RejectedLines;
  index: AccountIndex;
}

/** The code of a field that the service does not know. */
export const UNKNOWN_FIELD = 'unknown_field';

/**
 * Checks the accounts of a book, and imports none.
 *
 * @returns the summary, and the error that ended the run early if there was one; `stop` is then aborted
 */
export async function validateBook(
  book: JsonLinesFile,
  portage: PortageClient,
  parts: ValidationParts,
  { concurrency, rejectUnknown }: Pick<ImportOptions, 'concurrency' | 'rejectUnknown'>,
  { stop, progress, progressEveryMs, clock }: RunContext,
): Promise<{ summary: Summary; failure: Error | undefined }> {
  const tally = new ValidationTally(clock);
  const validator = new BookValidator(new DataImportApi(portage), tally, parts, rejectUnknown);
  const failure = await withProgress(
    progress,
    progressEveryMs,
    () => [progressStep(tally, book.fractionRead)],
    () =>
      validator.validate(book.parse(parserOf('accounts')), concurrency, stop.signal).then(
        () => undefined,
        (error: unknown) => {
          stop.stop();
          return error instanceof Error ? error : new Error(String(error));
        },
      ),
  );
  return { summary: tally.summary(), failure };
}

function progressStep(tally: ValidationTally, fraction: number): Step {
  const parts = [`${tally.valid} valid`, `${tally.refused} refused`];
  const already = tally.alreadyImported + tally.alreadyImportedDiffering;
  if (already > 0) parts.push(`${already} already imported`);
  if (tally.conflicting > 0) parts.push(`${tally.conflicting} conflicting`);
  if (tally.unreachable > 0) parts.push(`${tally.unreachable} unreachable`);
  return { label: 'checked', fraction, details: parts.join(', ') };
}

/** Checks the accounts of a book and records the result of each. */
class BookValidator {
  private consecutiveUnreachable = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly tally: ValidationTally,
    private readonly parts: ValidationParts,
    private readonly rejectUnknown: boolean,
  ) {}

  /**
   * Returns when all accounts are checked, or when `stop` is aborted and the requests in progress are done.
   *
   * @throws Unreachable if as many consecutive accounts as the concurrency got no response: each of them was retried
   *   for minutes, so the rest of the book would fail as well
   */
  async validate(book: AsyncIterable<BookLine>, concurrency: number, stop: AbortSignal): Promise<void> {
    await forEachConcurrently(
      book,
      concurrency,
      async (line) => {
        if (line.kind === 'bad') {
          this.refuse(line, { code: 'parse_error', attr: '', detail: line.detail });
          return;
        }
        if (!this.isToCheck(line)) return;
        await this.validateOne(line, stop);
        if (this.consecutiveUnreachable >= concurrency) {
          throw new Unreachable(`no response to ${this.consecutiveUnreachable} consecutive accounts`);
        }
      },
      stop,
    );
  }

  private isToCheck(account: BookItem): boolean {
    const { errors, rejected, index } = this.parts;
    const role = index.roleOf(account.line);
    if (role === 'repeated') this.tally.repeated += 1;
    if (role === 'superseded') this.tally.superseded += 1;
    if (role === 'conflicting') {
      this.tally.conflicting += 1;
      errors.add(account, 'conflicting', index.conflictOf(account.line));
      rejected.add(account.line);
    }
    return role === 'sent';
  }

  private async validateOne(account: BookItem, stop: AbortSignal): Promise<void> {
    try {
      const { errors, ignoredFields } = await this.api.validate(account.body);
      this.tally.ignoredFields.add(ignoredFields);
      const [first, ...rest] = [...errors, ...this.unknownFieldErrors(ignoredFields)];
      if (first === undefined) this.tally.valid += 1;
      else if (rest.length === 0 && first.code === ALREADY_IMPORTED) await this.compareWithImported(account);
      else this.refuse(account, first, ...rest);
      this.consecutiveUnreachable = 0;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.tally.unreachable += 1;
      if (!stop.aborted) this.consecutiveUnreachable += 1;
      this.parts.errors.add(account, 'unreachable', { code: 'unreachable', attr: '', detail: error.message });
    }
  }

  /** The validate endpoint does not say which payload was imported; the status does, unless it was erased. */
  private async compareWithImported(account: BookItem): Promise<void> {
    const digest = await this.api.acceptedDigest(account.supplier, account.externalIdentifier);
    if (digest === undefined || digest === payloadDigest(account.payload)) {
      this.tally.alreadyImported += 1;
      return;
    }
    this.tally.alreadyImportedDiffering += 1;
    const detail =
      'The account was imported before with other content, which is unchanged. Send the difference to the platform in another way.';
    this.parts.errors.add(account, 'differing', { code: 'already_imported_differing', attr: '', detail });
    this.parts.rejected.add(account.line);
  }

  private unknownFieldErrors(ignoredFields: string[]): FieldError[] {
    if (!this.rejectUnknown) return [];
    return ignoredFields.map((attr) => ({
      code: UNKNOWN_FIELD,
      attr,
      detail: 'The service does not know this field and would ignore it (--reject-unknown).',
    }));
  }

  private refuse(line: BookLine, first: FieldError, ...rest: FieldError[]): void {
    const externalAccountNumber = line.kind === 'item' ? line.externalAccountNumber : '';
    this.tally.recordRefused(first.code);
    this.parts.rejected.add(line.line);
    for (const error of [first, ...rest])
      this.parts.errors.add({ line: line.line, externalAccountNumber }, 'refused', error);
  }
}

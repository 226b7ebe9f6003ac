import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@portage/client';
import type { AccountIndex } from '../book/account-index';
import { AdditionTotals } from '../book/addition-totals';
import { Bits } from '../book/bits';
import type { BookKind, BookLine } from '../book/book-line';
import { hashText } from '../book/hash-text';
import { Numbers } from '../book/numbers';
import { UsageError } from '../usage-error';

/** What the submission of a book has to know of its lines. Keeps numbers of lines, and no text. */
export class BookContents {
  /** The supplier of the first line that names one. The service refuses the lines of others. */
  supplier = '';
  /** The parameters of the import, which are those of all lines; undefined if the lines have none. */
  taskParams: unknown;
  /** The number of lines that are sent. */
  lineCount = 0;
  /** The sums of these lines, of additions. */
  readonly totals = new AdditionTotals();
  /** True if the book has lines that are not JSON objects, and so are not sent. */
  hasBadLines = false;
  private readonly items = new Bits();
  /** Lines of which the member `payload` is sent. */
  private readonly wrapped = new Bits();
  /** Hashes of account numbers, by line. */
  private readonly accounts = new Numbers();
  private firstLine: number | undefined;
  private lastLine = 0;

  constructor(private readonly kind: BookKind) {}

  /**
   * Adds a line, after the index has it. @throws UsageError if it has other `task_params` than the lines before: they
   * are those of a submission, and a book is one
   */
  add(added: BookLine, index: AccountIndex): void {
    this.hasBadLines ||= added.kind === 'bad';
    if (added.kind === 'bad') return;
    const { line, supplier, externalAccountNumber, isWrapped } = added;
    const taskParams = normalise(added.taskParams);
    if (this.firstLine === undefined) this.taskParams = taskParams;
    this.firstLine ??= line;
    if (!isDeepStrictEqual(taskParams, this.taskParams))
      throw new UsageError(
        `Lines ${this.firstLine} and ${line} have different task_params, so nothing was sent: the lines of a book have the same. Divide the book.`,
      );
    if (this.supplier === '') this.supplier = supplier;
    this.lastLine = line;
    this.items.add(line);
    if (this.kind === 'additions' && index.roleOf(line) === 'sent') this.totals.add(added);
    if (isWrapped) this.wrapped.add(line);
    if (externalAccountNumber !== '') this.accounts.set(line, hashText(externalAccountNumber));
  }

  /** Counts the lines that are sent, once all are added. @throws UsageError if no line names a supplier */
  finish(index: AccountIndex): void {
    if (this.supplier === '' && this.firstLine !== undefined)
      throw new UsageError(
        'No line of the book has an import_supplier, so nothing was sent. Add it to each line.',
      );
    for (let line = 1; line <= this.lastLine; line += 1)
      if (this.hasItem(line) && index.roleOf(line) === 'sent') this.lineCount += 1;
  }

  /** True if the line is an account or an addition. Conflicting and equal lines are left to the index. */
  hasItem(line: number): boolean {
    return this.items.has(line);
  }

  isWrapped(line: number): boolean {
    return this.wrapped.has(line);
  }

  /** True unless the line is certainly about another account, as when the results are those of another file. */
  isAbout(line: number, externalAccountNumber: string): boolean {
    return this.accounts.get(line) === hashText(externalAccountNumber);
  }
}

/**
 * Equal parameters as one value: those without a value and `is_dry_run: false` left out, which is the default, and
 * undefined if none is left.
 */
function normalise(taskParams: unknown): unknown {
  if (taskParams === undefined || taskParams === null) return undefined;
  if (!isJsonObject(taskParams)) return taskParams;
  const members = Object.entries(taskParams).filter(
    ([name, value]) => value !== null && !(name === 'is_dry_run' && value === false),
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

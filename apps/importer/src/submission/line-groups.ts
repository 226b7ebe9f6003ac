import { isJsonObject } from '@portage/client';
import type { AccountIndex } from '../book/account-index';
import { AdditionTotals } from '../book/addition-totals';
import type { BookKind, BookLine } from '../book/book-line';
import { hashText } from '../book/hash-text';
import { UsageError } from '../usage-error';

/** The lines of a book that one submission takes: those with the same supplier and the same `task_params`. */
export interface LineGroup {
  supplier: string;
  /** The parameters of the import; undefined if the lines have none. */
  taskParams: unknown;
  /** The number of its lines that are sent. */
  lineCount: number;
  /** The sums of these lines, of additions. */
  totals: AdditionTotals;
}

/** More submissions of one book are taken for a mistake. */
const MAX_GROUPS = 100;

/** The groups of a book's lines: says which submission takes a line. Keeps numbers of lines, and no text. */
export class LineGroups {
  private readonly groups: LineGroup[] = [];
  private readonly groupByKey = new Map<string, LineGroup>();
  private readonly groupOfLine: (LineGroup | undefined)[] = [];
  /** Lines of which the member `payload` is sent. */
  private readonly wrapped = new Set<number>();
  /** Hashes of account numbers, by line. */
  private readonly accounts: (number | undefined)[] = [];
  /** True if the book has lines that are not sent, besides those of the index. */
  hasUnsent = false;

  constructor(private readonly kind: BookKind) {}

  /**
   * Adds a line, after the index has it. @throws UsageError if the book needs too many submissions
   */
  add(added: BookLine, index: AccountIndex): void {
    this.hasUnsent ||= added.kind === 'bad';
    if (added.kind === 'bad') return;
    const { line, supplier, externalAccountNumber, taskParams, isWrapped } = added;
    const group = this.groupOf(supplier, taskParams);
    this.groupOfLine[line] = group;
    if (this.kind === 'additions' && index.roleOf(line) === 'sent') group.totals.add(added);
    if (isWrapped) this.wrapped.add(line);
    if (externalAccountNumber !== '') this.accounts[line] = hashText(externalAccountNumber);
  }

  /**
   * The submissions that the book needs, in the order of their first lines. Lines without a supplier are left to the
   * first submission, whose service refuses them.
   *
   * @throws UsageError if no line names a supplier
   */
  finish(index: AccountIndex): LineGroup[] {
    const named = this.groups.filter(({ supplier }) => supplier !== '');
    const [first] = named;
    if (first === undefined && this.groups.length > 0)
      throw new UsageError(
        'No line of the book has an import_supplier, so nothing was sent. Add it to each line.',
      );
    if (first !== undefined)
      for (const { supplier, totals } of this.groups) if (supplier === '') first.totals.addAll(totals);
    for (let line = 1; line < this.groupOfLine.length; line += 1) {
      if (this.groupOfLine[line]?.supplier === '') this.groupOfLine[line] = first;
      const group = this.groupOfLine[line];
      if (group !== undefined && index.roleOf(line) === 'sent') group.lineCount += 1;
    }
    return named.filter(({ lineCount }) => lineCount > 0);
  }

  /** True if the submission takes the line. Conflicting and equal lines are left to the index. */
  isOf(line: number, group: LineGroup): boolean {
    return this.groupOfLine[line] === group;
  }

  isWrapped(line: number): boolean {
    return this.wrapped.has(line);
  }

  /** True unless the line is certainly about another account, as when the results are those of another file. */
  isAbout(line: number, externalAccountNumber: string): boolean {
    return this.accounts[line] === hashText(externalAccountNumber);
  }

  private groupOf(supplier: string, taskParams: unknown): LineGroup {
    const params = normalise(taskParams);
    const key = JSON.stringify([supplier, params]);
    const found = this.groupByKey.get(key);
    if (found !== undefined) return found;
    if (this.groups.length === MAX_GROUPS)
      throw new UsageError(
        `The lines of the book have more than ${MAX_GROUPS} different combinations of import_supplier and task_params, and each needs a submission of its own. Divide the book.`,
      );
    const group = { supplier, taskParams: params, lineCount: 0, totals: new AdditionTotals() };
    this.groups.push(group);
    this.groupByKey.set(key, group);
    return group;
  }
}

/**
 * Equal parameters as one value: members sorted, those without a value and `is_dry_run: false` left out, which is the
 * default, and undefined if none is left.
 */
function normalise(taskParams: unknown): unknown {
  if (taskParams === undefined || taskParams === null) return undefined;
  if (!isJsonObject(taskParams)) return taskParams;
  const members = Object.entries(taskParams)
    .filter(([name, value]) => value !== null && !(name === 'is_dry_run' && value === false))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

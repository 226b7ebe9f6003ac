import type { FieldError } from '@portage/client';
import type { BookItem } from './book-line';
import { DigestTable, digestOf, keyOf } from './digest-table';

/**
 * What happens to a line: it is sent; an equal line is sent in its place; the account has lines with different content;
 * or it is replaced by a later line of the account, with --last-wins.
 */
export type LineRole = 'sent' | 'repeated' | 'conflicting' | 'superseded';

/** The lines about an account that has several. */
interface Entry {
  first: number;
  last: number;
  hasConflict: boolean;
}

/**
 * Finds the lines of a book that are about the same account. Keeps digests instead of text, about 50 bytes an account
 * until {@link finish}.
 *
 * Two lines are equal if account and task parameters are equal with the members in the same order, as the service
 * compares them; white space does not count.
 */
export class AccountIndex {
  /** By the digest of supplier and account number. */
  private firsts: DigestTable | undefined = new DigestTable();
  /** By the number of a line that shares its account with another. */
  private readonly entries = new Map<number, Entry>();

  constructor(private readonly lastWins: boolean) {}

  /** True if an account has several lines. */
  get hasDuplicates(): boolean {
    return this.entries.size > 0;
  }

  /**
   * Adds a line. Accounts without a number are left to the service, which refuses them. Additions to one account do not
   * conflict: only equal ones are found.
   */
  add({ line, addition, supplier, externalAccountNumber, payload, taskParams }: BookItem): void {
    if (externalAccountNumber === '') return;
    const content = digest([payload, taskParams ?? {}]);
    const identity = addition === undefined ? digest([supplier, externalAccountNumber]) : content;
    const contentBits = content.readBigUInt64LE(8);
    const first = this.firsts?.add(keyOf(identity), contentBits, line);
    if (first === undefined) return;
    const entry = this.entries.get(first.line) ?? { first: first.line, last: line, hasConflict: false };
    entry.hasConflict ||= first.content !== contentBits;
    entry.last = line;
    this.entries.set(first.line, entry).set(line, entry);
  }

  /** Releases what only finding needed. Call after the last `add`. */
  finish(): void {
    this.firsts = undefined;
  }

  roleOf(line: number): LineRole {
    const entry = this.entries.get(line);
    if (entry === undefined) return 'sent';
    if (!entry.hasConflict) return entry.first === line ? 'sent' : 'repeated';
    if (!this.lastWins) return 'conflicting';
    return entry.last === line ? 'sent' : 'superseded';
  }

  /** The first and the last line about the account of this line. */
  linesOf(line: number): { first: number; last: number } {
    const { first = line, last = line } = this.entries.get(line) ?? {};
    return { first, last };
  }

  /** The error of a line whose account has lines with different content. */
  conflictOf(line: number): FieldError {
    const { first, last } = this.linesOf(line);
    const detail = `This account has lines with different content (the first is line ${first}, the last is line ${last}), so none of them is sent. Keep one of them, or use --last-wins.`;
    return { code: 'conflicting_lines', attr: '', detail };
  }
}

function digest(value: unknown): Buffer {
  return digestOf(JSON.stringify(value));
}

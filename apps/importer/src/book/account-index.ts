import { createHash } from 'node:crypto';
import type { FieldError } from '@portage/client';
import type { BookItem } from './book-line';

/**
 * What happens to a line: it is sent; an equal line is sent in its place; the account has lines with different content;
 * or it is replaced by a later line of the account, with --last-wins.
 */
export type LineRole = 'sent' | 'repeated' | 'conflicting' | 'superseded';

/** The lines about an account. */
interface Entry {
  first: number;
  last: number;
  /** Digest of the content of the first line. */
  content: string;
  hasConflict: boolean;
}

/**
 * Finds the lines of a book that are about the same account. Keeps digests instead of text, about 200 bytes an account.
 *
 * Two lines are equal if account and task parameters are equal with the members in the same order, as the service
 * compares them; white space does not count.
 */
export class AccountIndex {
  /** By the digest of supplier and account number. */
  private readonly entries = new Map<string, Entry>();
  /** By line number; a line without an account number has none. */
  private readonly entryOfLine: (Entry | undefined)[] = [];

  /** True if an account has several lines. */
  hasDuplicates = false;

  constructor(private readonly lastWins: boolean) {}

  /**
   * Adds a line. Accounts without a number are left to the service, which refuses them. Additions to one account do not
   * conflict: only equal ones are found.
   */
  add({ line, addition, supplier, externalAccountNumber, payload, taskParams }: BookItem): void {
    if (externalAccountNumber === '') return;
    const content = digest([payload, taskParams ?? {}]);
    const identity = addition === undefined ? digest([supplier, externalAccountNumber]) : content;
    const found = this.entries.get(identity);
    const entry = found ?? { first: line, last: line, content, hasConflict: false };
    if (found === undefined) this.entries.set(identity, entry);
    else this.hasDuplicates = true;
    entry.hasConflict ||= entry.content !== content;
    entry.last = line;
    this.entryOfLine[line] = entry;
  }

  /** Releases what only finding needed: all but the accounts with several lines. Call after the last `add`. */
  finish(): void {
    this.entries.clear();
    for (const [line, entry] of this.entryOfLine.entries())
      if (entry !== undefined && entry.first === entry.last) this.entryOfLine[line] = undefined;
  }

  roleOf(line: number): LineRole {
    const entry = this.entryOfLine[line];
    if (entry === undefined) return 'sent';
    if (!entry.hasConflict) return entry.first === line ? 'sent' : 'repeated';
    if (!this.lastWins) return 'conflicting';
    return entry.last === line ? 'sent' : 'superseded';
  }

  /** The first and the last line about the account of this line. */
  linesOf(line: number): { first: number; last: number } {
    const { first = line, last = line } = this.entryOfLine[line] ?? {};
    return { first, last };
  }

  /** The error of a line whose account has lines with different content. */
  conflictOf(line: number): FieldError {
    const { first, last } = this.linesOf(line);
    const detail = `This account has lines with different content (the first is line ${first}, the last is line ${last}), so none of them is sent. Keep one of them, or use --last-wins.`;
    return { code: 'conflicting_lines', attr: '', detail };
  }
}

/** 128 bits, one character a byte. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('binary').slice(0, 16);
}

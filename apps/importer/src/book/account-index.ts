import { createHash } from 'node:crypto';
import type { FieldError } from '@portage/client';
import type { BookAccount } from './book-line';

/**
 * What happens to a line: it is sent; an equal line is sent in its place; the account has lines with different content;
 * or it is replaced by a later line of the account, with --last-wins.
 */
export type LineRole = 'sent' | 'repeated' | 'conflicting' | 'superseded';

/** Words of 32 bits that are kept of a digest: 128 bits. */
const WORDS = 4;

const IS_CONFLICT = 1;

/**
 * Finds the lines of a book that are about the same account. Stores no text: an account takes 50 to 110 bytes, because
 * the arrays double when they are full. A book of a million accounts takes 57 MB while it is indexed, and less than half
 * of it afterwards.
 *
 * Two lines are equal if account and task parameters are equal with the members in the same order, as the service
 * compares them; white space does not count.
 */
export class AccountIndex {
  private count = 0;
  /** Digests of the supplier and account number, and of the content of the first line, by entry. */
  private identities = new Uint32Array(1024 * WORDS);
  private contents = new Uint32Array(1024 * WORDS);
  private firstLines = new Uint32Array(1024);
  private lastLines = new Uint32Array(1024);
  private flags = new Uint8Array(1024);
  /** Entry + 1 by hash, with linear probing; 0 is free. */
  private slots = new Uint32Array(2048);
  /** Entry + 1 by line number; 0 is a line without an account number. */
  private entryOfLine = new Uint32Array(1024);

  /** True if an account has several lines. */
  hasDuplicates = false;

  constructor(private readonly lastWins: boolean) {}

  /** Adds a line. Accounts without a number are left to the service, which refuses them. */
  add({ line, supplier, externalAccountNumber, payload, taskParams }: BookAccount): void {
    if (externalAccountNumber === '') return;
    const identity = digestWords(JSON.stringify([supplier, externalAccountNumber]));
    const content = digestWords(JSON.stringify([payload, taskParams ?? {}]));
    const entry = this.findOrInsert(identity, line);
    this.hasDuplicates ||= this.firstLines[entry] !== line;
    if (this.firstLines[entry] === line) this.contents.set(content, entry * WORDS);
    else if (!isAt(this.contents, entry, content)) this.flags[entry] = IS_CONFLICT;
    this.lastLines[entry] = line;
    if (line >= this.entryOfLine.length) this.entryOfLine = grow(this.entryOfLine, line + 1);
    this.entryOfLine[line] = entry + 1;
  }

  /** Releases the digests. Call after the last `add`. */
  finish(): void {
    this.identities = new Uint32Array(0);
    this.contents = new Uint32Array(0);
    this.slots = new Uint32Array(0);
  }

  roleOf(line: number): LineRole {
    const entry = (this.entryOfLine[line] ?? 0) - 1;
    if (entry < 0) return 'sent';
    if (this.flags[entry] !== IS_CONFLICT) return this.firstLines[entry] === line ? 'sent' : 'repeated';
    if (!this.lastWins) return 'conflicting';
    return this.lastLines[entry] === line ? 'sent' : 'superseded';
  }

  /** The first and the last line about the account of this line. */
  linesOf(line: number): { first: number; last: number } {
    const entry = (this.entryOfLine[line] ?? 0) - 1;
    return { first: this.firstLines[entry] ?? line, last: this.lastLines[entry] ?? line };
  }

  /** The error of a line whose account has lines with different content. */
  conflictOf(line: number): FieldError {
    const { first, last } = this.linesOf(line);
    const detail = `This account has lines with different content (the first is line ${first}, the last is line ${last}), so none of them is sent. Keep one of them, or use --last-wins.`;
    return { code: 'conflicting_lines', attr: '', detail };
  }

  private findOrInsert(identity: Uint32Array, line: number): number {
    if (this.count * 2 >= this.slots.length) this.growSlots();
    let slot = (identity[0] ?? 0) & (this.slots.length - 1);
    for (;;) {
      const entry = (this.slots[slot] ?? 0) - 1;
      if (entry < 0) break;
      if (isAt(this.identities, entry, identity)) return entry;
      slot = (slot + 1) & (this.slots.length - 1);
    }
    const entry = this.count;
    this.count += 1;
    if (this.count > this.firstLines.length) this.growEntries();
    this.slots[slot] = entry + 1;
    this.identities.set(identity, entry * WORDS);
    this.firstLines[entry] = line;
    return entry;
  }

  private growSlots(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    for (let entry = 0; entry < this.count; entry += 1) {
      let slot = (this.identities[entry * WORDS] ?? 0) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = entry + 1;
    }
    this.slots = slots;
  }

  private growEntries(): void {
    this.identities = grow(this.identities, this.identities.length + 1);
    this.contents = grow(this.contents, this.contents.length + 1);
    this.firstLines = grow(this.firstLines, this.count);
    this.lastLines = grow(this.lastLines, this.count);
    const flags = new Uint8Array(this.firstLines.length);
    flags.set(this.flags);
    this.flags = flags;
  }
}

function digestWords(text: string): Uint32Array {
  const digest = createHash('sha256').update(text).digest();
  return Uint32Array.from({ length: WORDS }, (_, word) => digest.readUInt32LE(word * 4));
}

function isAt(digests: Uint32Array, entry: number, digest: Uint32Array): boolean {
  for (let word = 0; word < WORDS; word += 1)
    if (digests[entry * WORDS + word] !== digest[word]) return false;
  return true;
}

/** A copy with at least `minLength` elements and at least twice as many as before. */
function grow(array: Uint32Array, minLength: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.max(minLength, array.length * 2));
  grown.set(array);
  return grown;
}

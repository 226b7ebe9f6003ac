import { createHash, type Hash } from 'node:crypto';

/** A line of an upload, without its line break. */
export type ReadLine =
  | { number: number; bytes: Buffer }
  /** A line that is longer than the limit. Only its hash was computed. */
  | { number: number; bytes: undefined; sha256: Buffer };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits the bytes of an upload into lines, with memory for one line at most. Lines end with LF or CRLF; the last one
 * needs no end. Blank lines are skipped but counted, and a byte order mark at the start is skipped.
 */
export class LineReader {
  private number = 0;
  private parts: Buffer[] = [];
  private length = 0;
  /** The hash of a line that is too long, which is not held in memory. */
  private hash: Hash | undefined;

  /** @param maxBytes the longest line, without its line break */
  constructor(private readonly maxBytes: number) {}

  /** The lines that end in the next chunk of the upload. */
  *push(chunk: Buffer): Generator<ReadLine, void, undefined> {
    let start = 0;
    // An upload may have millions of empty lines, which are counted only.
    const skipEmptyLines = () => {
      while (this.length === 0 && start < chunk.length) {
        if (chunk[start] === LINE_FEED) start += 1;
        else if (chunk[start] === CARRIAGE_RETURN && chunk[start + 1] === LINE_FEED) start += 2;
        else return;
        this.number += 1;
      }
    };
    skipEmptyLines();
    for (let end = chunk.indexOf(LINE_FEED, start); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.add(chunk.subarray(start, end));
      start = end + 1;
      const line = this.finishLine();
      if (line) yield line;
      skipEmptyLines();
    }
    // The rest is copied, because the chunk is a view of a larger buffer.
    if (start < chunk.length) this.add(Buffer.from(chunk.subarray(start)));
  }

  /** The last line, if the upload does not end with a line break. */
  end(): ReadLine | undefined {
    return this.finishLine();
  }

  /** The rest of the present line is left out: the line counts as too long. */
  cut(): void {
    this.hash ??= this.hashParts();
  }

  private add(part: Buffer): void {
    this.length += part.length;
    if (this.hash) this.hash.update(part);
    else if (this.length > this.maxBytes + 1) {
      // One byte more may be the CR of the line break.
      this.hash = this.hashParts().update(part);
    } else if (part.length > 0) this.parts.push(part);
  }

  private hashParts(): Hash {
    const hash = createHash('sha256');
    for (const part of this.parts) hash.update(part);
    this.parts = [];
    return hash;
  }

  private finishLine(): ReadLine | undefined {
    const { parts, hash } = this;
    this.number += 1;
    this.parts = [];
    this.length = 0;
    this.hash = undefined;
    const { number } = this;
    if (hash) return { number, bytes: undefined, sha256: hash.digest() };
    let bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    if (bytes.at(-1) === CARRIAGE_RETURN) bytes = bytes.subarray(0, -1);
    if (number === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
      bytes = bytes.subarray(BYTE_ORDER_MARK.length);
    if (bytes.length > this.maxBytes)
      return { number, bytes: undefined, sha256: createHash('sha256').update(bytes).digest() };
    return isBlank(bytes) ? undefined : { number, bytes };
  }
}

function isBlank(bytes: Buffer): boolean {
  // Ten times as fast as `every` or an iterator: a line of blanks may have megabytes.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}

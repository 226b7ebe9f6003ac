/** A line of a file without its line feed. `text` is undefined if the line is not UTF-8 or is too long. */
export interface Line {
  /** Line number, counted from 1. */
  number: number;
  text: string | undefined;
  problem?: 'not-utf-8' | 'too-long';
}

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines at line feeds only. Node's `readline` also splits at U+2028 and U+2029, which JSON
 * allows inside strings. The text of a line longer than `maxBytes` is not kept in memory.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;

  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const finish = (): Line => {
    const line = length > maxBytes ? tooLongLine(number) : decodeLine(number, Buffer.concat(parts));
    number += 1;
    parts = [];
    length = 0;
    return line;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      start = end + 1;
      yield finish();
    }
    take(chunk.subarray(start));
  }
  if (length > 0) yield finish();
}

/**
 * The bytes of some lines, unchanged, in pieces, each line with a line feed at its end. Lines of any length take
 * constant memory.
 */
export async function* copyLines(
  chunks: AsyncIterable<Buffer>,
  isWanted: (number: number) => boolean,
): AsyncGenerator<Buffer> {
  let number = 1;
  let isInLine = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (isWanted(number)) yield chunk.subarray(start, end + 1);
      start = end + 1;
      number += 1;
    }
    isInLine = start < chunk.length || (isInLine && start === 0);
    if (start < chunk.length && isWanted(number)) yield chunk.subarray(start);
  }
  if (isInLine && isWanted(number)) yield Buffer.of(NEWLINE);
}

// `fatal` reports invalid UTF-8 instead of replacing it. A byte order mark is removed.
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeLine(number: number, bytes: Buffer): Line {
  try {
    return { number, text: utf8.decode(bytes) };
  } catch {
    return { number, text: undefined, problem: 'not-utf-8' };
  }
}

function tooLongLine(number: number): Line {
  return { number, text: undefined, problem: 'too-long' };
}

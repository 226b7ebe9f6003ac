/** One line of the file, without its end. `undefined` text: the line is not UTF-8 or longer than is read. */
export interface Line {
  /** From 1. */
  number: number;
  text: string | undefined;
  problem?: 'not-utf-8' | 'too-long';
}

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines at line feeds and nowhere else. Node's `readline` also splits at U+2028 and
 * U+2029, which JSON allows inside a string. A line longer than `maxBytes` is passed over, not kept in memory.
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
    const line = length > maxBytes ? tooLong(number) : decoded(number, Buffer.concat(parts));
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

// `fatal`: a byte that is not UTF-8 is the supplier's to know about, not ours to replace. A byte order mark goes.
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(number: number, bytes: Buffer): Line {
  try {
    return { number, text: utf8.decode(bytes) };
  } catch {
    return { number, text: undefined, problem: 'not-utf-8' };
  }
}

function tooLong(number: number): Line {
  return { number, text: undefined, problem: 'too-long' };
}

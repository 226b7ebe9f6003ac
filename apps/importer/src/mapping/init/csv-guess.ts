import { analyse } from 'chardet';
import { parse } from 'csv-parse/sync';
import { decode } from 'iconv-lite';
import { open } from 'node:fs/promises';
import { UsageError } from '../../usage-error';
import { ENCODINGS } from '../source-settings';
import { MARKS } from '../csv-file';

/** The start of a file that its encoding and delimiter are guessed from. */
const SAMPLE_BYTES = 1024 * 1024;

/** How many rows have to agree about the delimiter. */
const SAMPLE_ROWS = 100;

const DELIMITERS = [';', ',', '\t', '|'];

/** A value that was guessed, and why. */
export interface Guess<T> {
  readonly value: T;
  readonly reason: string;
}

/** How a CSV file seems to be written. */
export interface CsvGuess {
  readonly encoding: Guess<string>;
  readonly delimiter: Guess<string>;
  /** True if the start of the file has ASCII only, which most encodings share. */
  readonly isAscii: boolean;
}

/**
 * Guesses how a CSV file is written from its start.
 *
 * @throws UsageError if the file cannot be read or is empty
 */
export async function guessCsv(path: string): Promise<CsvGuess> {
  const bytes = await readStart(path);
  if (bytes.length === 0) throw new UsageError(`${path} is empty.`);
  const encoding = guessEncoding(bytes);
  const isAscii = bytes.every((byte) => byte < 0x80 && byte !== 0);
  return { encoding, delimiter: guessDelimiter(decode(bytes, encoding.value), bytes.length), isAscii };
}

async function readStart(path: string): Promise<Buffer> {
  try {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function guessEncoding(bytes: Buffer): Guess<string> {
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) return { value: mark[0], reason: 'the file has its byte order mark' };
  if (bytes[1] === 0) return { value: 'utf-16le', reason: 'its second byte is 0' };
  if (bytes[0] === 0) return { value: 'utf-16be', reason: 'its first byte is 0' };
  const known = analyse(bytes)
    .map(({ name }) => NAMES[name] ?? name.toLowerCase())
    .filter((name) => ENCODINGS.includes(name));
  if (bytes.every((byte) => byte < 0x80 && byte !== 0))
    return { value: 'utf-8', reason: 'its start has ASCII characters only' };
  const [value = 'windows-1252', second] = known;
  if (value === 'utf-8') return { value, reason: 'its start is valid UTF-8' };
  const next = second === undefined ? '' : `, the next likely one is ${second}`;
  return { value, reason: `by the frequency of its bytes${next}` };
}

/** windows-1252 is ISO-8859-1 with characters where that has none. */
const NAMES: Readonly<Record<string, string>> = { ASCII: 'utf-8', 'ISO-8859-1': 'windows-1252' };

function guessDelimiter(text: string, sampledBytes: number): Guess<string> {
  // The last row may be cut.
  const whole = sampledBytes < SAMPLE_BYTES ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  const regular = DELIMITERS.map((value) => ({ value, width: regularWidth(whole, value) }))
    .filter(({ width }) => width > 1)
    .sort((one, other) => other.width - one.width);
  const [best] = regular;
  if (best !== undefined)
    return { value: best.value, reason: `all rows that were read have ${best.width} cells with it` };
  const [header = ''] = text.split(/\r?\n/, 1);
  const counts = DELIMITERS.map((value) => ({ value, count: header.split(value).length - 1 })).sort(
    (one, other) => other.count - one.count,
  );
  const [most] = counts;
  if (most === undefined || most.count === 0) return { value: ',', reason: 'the header has one column' };
  return { value: most.value, reason: 'it is the most frequent one in the header; not all rows fit it' };
}

/** The number of cells that each row has with a delimiter; 0 if they differ. */
function regularWidth(text: string, delimiter: string): number {
  try {
    const rows: string[][] = parse(text, { delimiter, bom: true, skip_empty_lines: true, to: SAMPLE_ROWS });
    return rows[0]?.length ?? 0;
  } catch {
    return 0;
  }
}

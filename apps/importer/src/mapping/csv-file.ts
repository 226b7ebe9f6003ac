import { CsvError, parse } from 'csv-parse';
import { decodeStream } from 'iconv-lite';
import { createReadStream, type ReadStream, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { UsageError } from '../usage-error';
import type { CellWarnings } from './cell-warnings';
import type { SourceSettings } from './source-settings';

/** The longest row, in characters, line breaks inside quotes included. */
export const MAX_RECORD_CHARACTERS = 1_000_000;

/** The last column of a file of rejected rows. In a source it is accepted and not read. */
export const ERRORS_COLUMN = 'errors';

/** A row of a CSV file. */
export interface CsvRow {
  /** The line of the file at which it starts; the header is line 1. */
  readonly row: number;
  /** The cells as they were, in the order of the columns. */
  readonly cells: readonly string[];
}

/** The text of a cell. Spaces around it are no part of it. */
export function cellOf(row: CsvRow, index: number): string {
  return (row.cells[index] as string).trim();
}

/** What the start of a CSV file says. */
export interface CsvHeader {
  readonly columns: readonly string[];
  /** True if the file starts with a byte order mark. */
  readonly hasMark: boolean;
}

/** Byte order marks. */
export const MARKS: readonly [encoding: string, bytes: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a cell that does not start with one. If quotes are plain text, give the source another character as quote',
  CSV_INVALID_CLOSING_QUOTE:
    'text follows the closing quote of a cell. A quote inside quotes has to be written twice',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${MAX_RECORD_CHARACTERS} characters; is a quote never closed?`,
};

const UNENDED = ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'];

/**
 * A CSV file that is read as a stream. A file whose rows cannot be told apart, or whose text is damaged, ends the run.
 */
export class CsvFile {
  /** Sees the rows when they are read first, if there is one. */
  warnings: CellWarnings | undefined;
  private wasRead = false;
  private stream: ReadStream | undefined;

  private constructor(
    readonly settings: SourceSettings,
    readonly header: CsvHeader,
    private readonly stats: Stats,
    /** True if the last column of the file is that of an earlier run's errors. */
    private readonly hasErrors: boolean,
  ) {}

  /** Reads and checks the header. @throws UsageError that names the file and the row */
  static async open(settings: SourceSettings): Promise<CsvFile> {
    const hasMark = await readMark(settings);
    for await (const { cells } of readRecords(settings, createReadStream(settings.path), 1)) {
      expectHeader(cells, settings);
      const hasErrors = cells.at(-1) === ERRORS_COLUMN;
      const header = { columns: hasErrors ? cells.slice(0, -1) : cells, hasMark };
      return new CsvFile(settings, header, await stat(settings.path), hasErrors);
    }
    throw new UsageError(`${settings.file} is empty.`);
  }

  /** In bytes. */
  get size(): number {
    return this.stats.size;
  }

  /** The position of a column, if there is one with this name. */
  indexOf(column: string): number | undefined {
    const index = this.header.columns.indexOf(column);
    return index < 0 ? undefined : index;
  }

  /** The fraction of the file that this pass has read, 0 to 1. */
  get fractionRead(): number {
    return Math.min(1, (this.stream?.bytesRead ?? 0) / this.size);
  }

  /**
   * The rows after the header, in the order of the file. Each pass has the same rows: a file that was changed since ends
   * the run.
   *
   * @throws UsageError that names the file and the row
   */
  async *rows(): AsyncGenerator<CsvRow> {
    const warnings = this.wasRead ? undefined : this.warnings;
    this.wasRead = true;
    let isHeader = true;
    this.stream = createReadStream(this.settings.path);
    for await (const record of readRecords(this.settings, this.stream)) {
      if (!isHeader) {
        warnings?.add(record.row, record.cells);
        yield this.hasErrors ? { row: record.row, cells: record.cells.slice(0, -1) } : record;
      }
      isHeader = false;
    }
    const { size, mtimeMs } = await stat(this.settings.path);
    if (size !== this.size || mtimeMs !== this.stats.mtimeMs)
      throw new UsageError(`${this.settings.file} has changed during the run. Run it again.`);
  }
}

async function readMark({ file, path, encoding }: SourceSettings): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0);
      const found = MARKS.find(([, bytes]) =>
        bytes.every((byte, at) => at < bytesRead && buffer[at] === byte),
      );
      if (found === undefined || found[0] === encoding) return found !== undefined;
      throw new UsageError(
        `${file} starts with the byte order mark of ${found[0]}, and its encoding is given as ${encoding}.`,
      );
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function expectHeader(columns: readonly string[], { file }: SourceSettings): void {
  const empty = columns.findIndex((name) => name.trim() === '');
  if (empty >= 0) {
    const hint = empty > 0 && empty === columns.length - 1 ? ' Does each line end with the delimiter?' : '';
    throw new UsageError(`${file}, row 1: column ${empty + 1} of the header has no name.${hint}`);
  }
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`${file}, row 1: the column ${twice} is there twice. Rename one of them.`);
}

/**
 * The records of a file, the header too. Lines without a character are skipped.
 *
 * @param to the number of records to read; -1 is all of them
 */
async function* readRecords(settings: SourceSettings, stream: ReadStream, to = -1): AsyncGenerator<CsvRow> {
  const { file, encoding, delimiter, quote } = settings;
  const parser = parse({
    delimiter,
    quote,
    escape: quote,
    info: true,
    skip_empty_lines: true,
    to,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  // The loop below gets the error as well.
  pipeline(stream, decodeStream(encoding), parser, () => undefined);
  // The parser counts a line break of two characters inside quotes twice.
  let countedTwice = 0;
  let lastLine = 0;
  let header: readonly string[] = [];
  // The parser does not count the last line break of the file if it ends a cell.
  const startOf = (record: readonly string[], lines: number) =>
    Math.max(lastLine + 1, lines - countedTwice - (record.join('').match(/[\r\n]/g)?.length ?? 0));
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const row = startOf(record, info.lines);
      countedTwice += record.join('').match(/\r\n/g)?.length ?? 0;
      lastLine = info.lines - countedTwice;
      expectText(record, row, header, settings);
      if (header.length === 0) header = record;
      yield { row, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, record = [] } = error as CsvError & { lines?: number; record?: string[] };
    // A row that does not end is named by its start.
    const line = lines === undefined || UNENDED.includes(error.code) ? lastLine + 1 : startOf(record, lines);
    const problem =
      error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
        ? describeWidth(record, header)
        : (PROBLEMS[error.code] ?? error.message);
    throw new UsageError(`${file}, row ${line}: ${problem}.`);
  } finally {
    parser.destroy();
  }
}

function describeWidth(record: readonly string[], { length }: readonly string[]): string {
  const cells = `the row has ${record.length} ${record.length === 1 ? 'cell' : 'cells'} and the header ${length}`;
  const hasBreaks = record.some((cell) => /[\r\n]/.test(cell));
  return hasBreaks
    ? `${cells}, and a line break in a cell: rows end only with the line break that ends the header`
    : cells;
}

function expectText(
  cells: readonly string[],
  row: number,
  header: readonly string[],
  { file, encoding }: SourceSettings,
): void {
  for (const [index, cell] of cells.entries()) {
    if (!/[\0\ufffd]/.test(cell)) continue;
    const place = `${file}, row ${row}, ${header[index] ?? `cell ${index + 1}`}`;
    if (cell.includes('\0'))
      throw new UsageError(`${place}: a NUL character. Is the file ${encoding}, or utf-16le?`);
    throw new UsageError(
      `${place}: bytes that are no text in ${encoding}, or text that was damaged before (U+FFFD).`,
    );
  }
}

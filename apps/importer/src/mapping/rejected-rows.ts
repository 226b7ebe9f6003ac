import { stringify } from 'csv-stringify/sync';
import { encode } from 'iconv-lite';
import { parse, join } from 'node:path';
import { Bits } from '../book/bits';
import type { RowError, UsedRows } from './account-builder';
import { type CsvFile, type CsvRow, ERRORS_COLUMN } from './csv-file';
import { describeError } from './error-tally';
import type { Orphan } from './mapper';
import type { Mapping } from './mapping';
import { OutputFile } from './output-file';

/** Takes the rows that did not become part of a book. */
export interface RejectedRows {
  /** @param children the rows of other sources that belong to the account */
  add(row: CsvRow, errors: readonly RowError[], children: UsedRows): Promise<void>;
  /** Takes a row that belongs to no account. */
  addOrphan(orphan: Orphan): Promise<void>;
  /** Completes the files. @returns their paths */
  close(): Promise<string[]>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** For runs without --rejected. */
export const noRejectedRows: RejectedRows = {
  add: () => Promise.resolve(),
  addOrphan: () => Promise.resolve(),
  close: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
};

/**
 * The rejected rows with the columns, delimiter, quote and encoding of their source, and their errors as a last column.
 * Rows of the other sources go into a file of their own each, account by account: rejected.readings.csv beside
 * rejected.csv.
 */
export class RejectedFiles implements RejectedRows {
  private readonly outputs = new Map<string, RejectedFile>();

  private constructor(
    private readonly path: string,
    private readonly accounts: CsvFile,
  ) {}

  /** Creates the files. @throws UsageError if one cannot be written */
  static async create(
    path: string,
    accounts: CsvFile,
    sources: ReadonlyMap<string, CsvFile>,
  ): Promise<RejectedFiles> {
    const files = new RejectedFiles(path, accounts);
    try {
      await files.open(path, accounts);
      for (const [source, file] of sources) await files.open(rejectedPathOf(path, source), file);
      return files;
    } catch (error) {
      await files.discard();
      throw error;
    }
  }

  async add(row: CsvRow, errors: readonly RowError[], children: UsedRows): Promise<void> {
    await this.write(this.accounts, row, errors);
    for (const [source, rows] of children) {
      const output = this.outputs.get(source) as RejectedFile;
      for (const child of [...rows.values()].sort((one, other) => one.row - other.row)) {
        // Several accounts may have the same row.
        if (output.written.has(child.row)) continue;
        const own = errors.filter((error) => error.source === source && error.row === child.row);
        await this.write(output.file, child, own);
      }
    }
  }

  async addOrphan({ file, row, error }: Orphan): Promise<void> {
    await this.write(file, row, [error]);
  }

  async close(): Promise<string[]> {
    for (const { output } of this.outputs.values()) await output.close();
    return [...this.outputs.values()].map(({ path }) => path);
  }

  async discard(): Promise<void> {
    for (const { output } of this.outputs.values()) await output.discard();
  }

  private async write(file: CsvFile, row: CsvRow, errors: readonly RowError[]): Promise<void> {
    const { output, written } = this.outputs.get(file.settings.name) as RejectedFile;
    written.add(row.row);
    await output.write(line(file, [...row.cells, errors.map(describeError).join(' | ')]));
  }

  private async open(path: string, file: CsvFile): Promise<void> {
    const output = await OutputFile.create(path);
    this.outputs.set(file.settings.name, { file, path, output, written: new Bits() });
    const { columns, hasMark } = file.header;
    if (hasMark) await output.write(encode('\ufeff', file.settings.encoding));
    await output.write(line(file, [...columns, ERRORS_COLUMN]));
  }
}

interface RejectedFile {
  readonly file: CsvFile;
  readonly path: string;
  readonly output: OutputFile;
  /** The numbers of the rows that were written. */
  readonly written: Bits;
}

/** The paths of all files of rejected rows; none without a path. */
export function rejectedPaths(path: string | undefined, { children }: Mapping): string[] {
  if (path === undefined) return [];
  return [path, ...[...children.keys()].map((source) => rejectedPathOf(path, source))];
}

/** The file for the rows of a source besides that of the accounts. */
function rejectedPathOf(path: string, source: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${source}${ext}`);
}

function line({ settings: { delimiter, quote, encoding } }: CsvFile, cells: readonly string[]): Buffer {
  return encode(stringify([[...cells]], { delimiter, quote, escape: quote }), encoding);
}

import { stringify } from 'csv-stringify/sync';
import { encode } from 'iconv-lite';
import { parse, join } from 'node:path';
import { type RowError } from './account-builder';
import { type CsvFile, type CsvRow, ERRORS_COLUMN } from './csv-file';
import { describeError } from './error-tally';
import { OutputFile } from './output-file';

/** Takes the rows that did not become part of a book. */
export interface RejectedRows {
  /** @param children the rows of other sources that belong to the account */
  add(
    row: CsvRow,
    errors: readonly RowError[],
    children: ReadonlyMap<string, ReadonlySet<CsvRow>>,
  ): Promise<void>;
  /** Takes rows that belong to no account. */
  addOrphans(file: CsvFile, errors: ReadonlyMap<CsvRow, RowError>): void;
  /** Completes the files. @returns their paths */
  close(): Promise<string[]>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** For runs without --rejected. */
export const noRejectedRows: RejectedRows = {
  add: () => Promise.resolve(),
  addOrphans: () => undefined,
  close: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
};

/**
 * The rejected rows with the columns, delimiter, quote and encoding of their source, and their errors as a last column.
 * Rows of the other sources go into a file of their own each: rejected.readings.csv beside rejected.csv.
 */
export class RejectedFiles implements RejectedRows {
  private readonly children = new Map<string, Map<CsvRow, string>>();
  private readonly outputs: OutputFile[] = [];

  private constructor(
    private readonly path: string,
    private readonly accounts: CsvFile,
    private readonly sources: ReadonlyMap<string, CsvFile>,
  ) {}

  /** Creates the files. @throws UsageError if one cannot be written */
  static async create(
    path: string,
    accounts: CsvFile,
    sources: ReadonlyMap<string, CsvFile>,
  ): Promise<RejectedFiles> {
    const files = new RejectedFiles(path, accounts, sources);
    await files.open(path, accounts);
    return files;
  }

  async add(
    row: CsvRow,
    errors: readonly RowError[],
    children: ReadonlyMap<string, ReadonlySet<CsvRow>>,
  ): Promise<void> {
    const [output] = this.outputs;
    await output?.write(line(this.accounts, [...row.cells, errors.map(describeError).join(' | ')]));
    for (const [source, rows] of children)
      for (const child of rows) {
        const own = errors.filter((error) => error.source === source && error.row === child.row);
        this.childrenOf(source).set(child, own.map(describeError).join(' | '));
      }
  }

  addOrphans(file: CsvFile, errors: ReadonlyMap<CsvRow, RowError>): void {
    for (const [row, error] of errors) this.childrenOf(file.settings.name).set(row, describeError(error));
  }

  async close(): Promise<string[]> {
    const paths = [this.path];
    for (const [source, file] of this.sources) {
      const path = rejectedPathOf(this.path, source);
      const output = await this.open(path, file);
      const rows = [...this.childrenOf(source)].sort(([one], [other]) => one.row - other.row);
      for (const [row, errors] of rows) await output.write(line(file, [...row.cells, errors]));
      paths.push(path);
    }
    for (const output of this.outputs) await output.close();
    return paths;
  }

  async discard(): Promise<void> {
    for (const output of this.outputs) await output.discard();
  }

  private childrenOf(source: string): Map<CsvRow, string> {
    const rows = this.children.get(source) ?? new Map<CsvRow, string>();
    this.children.set(source, rows);
    return rows;
  }

  private async open(path: string, file: CsvFile): Promise<OutputFile> {
    const output = await OutputFile.create(path);
    this.outputs.push(output);
    const { columns, hasMark } = file.header;
    if (hasMark) await output.write(encode('\ufeff', file.settings.encoding));
    await output.write(line(file, [...columns, ERRORS_COLUMN]));
    return output;
  }
}

/** The file for the rows of a source besides that of the accounts. */
export function rejectedPathOf(path: string, source: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${source}${ext}`);
}

function line({ settings: { delimiter, quote, encoding } }: CsvFile, cells: readonly string[]): Buffer {
  return encode(stringify([[...cells]], { delimiter, quote, escape: quote }), encoding);
}

import { escapeForTerminal } from '@portage/text';
import { stringify } from 'csv-stringify/sync';
import type { RowError } from './account-builder';
import { describeError } from './error-tally';
import { OutputFile } from './output-file';

/** What has become of a row, or of one of the lines of a book that a row has become. */
export interface RowResult {
  readonly file: string;
  readonly row: number;
  readonly key: string;
  readonly request: string;
  readonly outcome: string;
  readonly errors: readonly RowError[];
}

const COLUMNS = ['file', 'row', 'key', 'request', 'outcome', 'errors'];

/** The outcome of each row as CSV. It is opened in spreadsheets: text that begins like a formula gets an apostrophe. */
export class ResultsFile {
  private constructor(private readonly output: OutputFile) {}

  /** @throws UsageError if the file cannot be written */
  static async create(path: string): Promise<ResultsFile> {
    const file = new ResultsFile(await OutputFile.create(path));
    await file.write(COLUMNS);
    return file;
  }

  async add({ file, row, key, request, outcome, errors }: RowResult): Promise<void> {
    await this.write([file, String(row), key, request, outcome, errors.map(describeError).join(' | ')]);
  }

  async close(): Promise<void> {
    await this.output.close();
  }

  async discard(): Promise<void> {
    await this.output.discard();
  }

  private async write(cells: string[]): Promise<void> {
    await this.output.write(
      stringify([cells], {
        quoted: true,
        quoted_empty: true,
        escape_formulas: true,
        cast: { string: escapeForTerminal },
      }),
    );
  }
}

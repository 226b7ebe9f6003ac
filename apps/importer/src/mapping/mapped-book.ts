import type { FieldError } from '@portage/client';
import { basename } from 'node:path';
import type { AccountIndex } from '../book/account-index';
import { Bits } from '../book/bits';
import { Numbers } from '../book/numbers';
import { JsonLinesFile } from '../book/json-lines-file';
import { SpillFile } from '../book/spill-file';
import type { LineOutcomes } from '../submission/line-outcomes';
import type { BuiltLine, BuiltRow, RowError } from './account-builder';
import { locate } from './account-check';
import type { CsvRow } from './csv-file';
import { ErrorTally } from './error-tally';
import { mapAccounts, type MapOutcome } from './map-accounts';
import { type MapContext, Mapper, showingProgress } from './mapper';
import type { Mapping } from './mapping';
import { noRejectedRows, RejectedFiles, type RejectedRows } from './rejected-rows';
import { ResultsFile } from './results-file';

/** Where the rows and their outcomes are written. */
export interface MappedReport {
  /** Path of the list of all rows. */
  readonly results: string;
  /** Path of the rows that were not imported, if they are wanted. */
  readonly rejected: string | undefined;
}

/** A book that was made by a mapping, in a temporary file, and what its lines were made of. */
export class MappedBook {
  private constructor(
    readonly book: JsonLinesFile,
    readonly outcome: MapOutcome,
    readonly mapper: Mapper,
    private readonly spill: SpillFile,
    /** The rows of the lines, which are numbered from 1, and their kinds of requests. */
    private readonly rowOfLine: Numbers,
    private readonly requestOfLine: readonly string[],
    /** The rows that are not in the book. */
    private readonly rejectedRows: Bits,
  ) {}

  /**
   * Makes the book. The same files and mapping make the same book, so that a run that was killed goes on with its
   * submission.
   *
   * @param path of the mapping file, which names the submission
   * @param now the day that rules compare with
   * @throws UsageError if a file cannot be read
   */
  static async make(path: string, mapping: Mapping, now: Date, context: MapContext): Promise<MappedBook> {
    const mapper = await Mapper.open(mapping, now, context);
    const spill = await SpillFile.create();
    const rowOfLine = new Numbers();
    const requestOfLine = [''];
    const rejectedRows = new Bits();
    try {
      const target = {
        writeLine: (text: string, { request }: BuiltLine, { row }: CsvRow) => {
          spill.append(text);
          rowOfLine.set(requestOfLine.length, row);
          requestOfLine.push(request);
        },
        reject: ({ row }: CsvRow) => {
          rejectedRows.add(row);
        },
      };
      const outcome = await mapAccounts(mapper, target, context);
      spill.flush();
      const book = await JsonLinesFile.ofHandle(basename(path), spill.handle);
      return new MappedBook(book, outcome, mapper, spill, rowOfLine, requestOfLine, rejectedRows);
    } catch (error) {
      await mapper.close();
      await spill.close();
      throw error;
    }
  }

  /** Names the row that a line was made of. */
  nameLine(line: number): string {
    return `${this.mapper.mapping.accounts.settings.file} row ${this.rowOfLine.get(line) || '?'}`;
  }

  /**
   * Writes what has become of each row, in the order of the files.
   *
   * @returns the most frequent errors, a line each
   */
  async report(
    { results: path, rejected: rejectedPath }: MappedReport,
    outcomes: LineOutcomes,
    index: AccountIndex,
    context: MapContext,
  ): Promise<string[]> {
    const { accounts, children } = this.mapper.mapping;
    const results = await ResultsFile.create(path);
    let rejected = noRejectedRows;
    try {
      if (rejectedPath !== undefined) rejected = await RejectedFiles.create(rejectedPath, accounts, children);
      const tally = new ErrorTally();
      const report = { results, rejected, tally, outcomes, index };
      const work = async () => this.reportRows(report, context.stop.signal);
      await showingProgress('results', accounts, context, () => '', work);
      await results.close();
      await rejected.close();
      return tally.describe();
    } catch (error) {
      await results.discard();
      await rejected.discard();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.mapper.close();
    await this.spill.close();
  }

  private async reportRows(report: Report, stop: AbortSignal): Promise<void> {
    const { accounts } = this.mapper.mapping;
    let line = 1;
    for await (const row of accounts.rows()) {
      if (stop.aborted) throw new Error('Stopped before all results were written');
      if (this.rejectedRows.has(row.row)) {
        const keyError = this.mapper.keyErrorOf(row);
        const built = keyError === undefined ? this.mapper.build(row) : undefined;
        const errors = built === undefined ? [keyError as RowError] : this.mapper.errorsOf(built);
        await this.reportRow(report, row, { request: '', outcome: 'rejected', errors });
        await report.rejected.add(row, errors, built?.children ?? new Map());
        continue;
      }
      const lines: number[] = [];
      for (; this.rowOfLine.get(line) === row.row; line += 1) lines.push(line);
      await this.reportLines(report, row, lines);
    }
    for await (const orphan of this.mapper.orphans()) {
      const { file, row, error } = orphan;
      report.tally.add(error);
      await report.results.add({
        file: file.settings.file,
        row: row.row,
        key: error.value ?? '',
        request: '',
        outcome: 'rejected',
        errors: [error],
      });
      await report.rejected.addOrphan(orphan);
    }
  }

  /** Reports a row that was sent, as any number of lines. */
  private async reportLines(report: Report, row: CsvRow, lines: readonly number[]): Promise<void> {
    if (lines.length === 0)
      return this.reportRow(report, row, { request: '', outcome: 'nothing_to_add', errors: [] });
    let built: BuiltRow | undefined;
    const rejected: RowError[] = [];
    for (const [nth, line] of lines.entries()) {
      const { outcomes, index } = report;
      const role = index.roleOf(line);
      let errors: RowError[] = [];
      const found = outcomes.errorsOf(line);
      if (role === 'conflicting') errors = [this.conflictOf(line, index, row)];
      else if (found.length > 0) {
        built ??= this.mapper.build(row);
        errors = locateIn(found, built, nth);
      }
      if (outcomes.isRejected(line)) for (const error of errors) rejected.push(error);
      const outcome = role === 'sent' ? (outcomes.outcomeOf(line) ?? 'unknown') : role;
      const request = this.requestOfLine[line] ?? '';
      await this.reportRow(report, row, { request, outcome, errors });
    }
    if (!lines.some((line) => report.outcomes.isRejected(line))) return;
    built ??= this.mapper.build(row);
    await report.rejected.add(row, rejected, built.children);
  }

  private async reportRow(
    { results, tally }: Report,
    row: CsvRow,
    result: { request: string; outcome: string; errors: readonly RowError[] },
  ): Promise<void> {
    for (const error of result.errors) tally.add(error);
    const { file } = this.mapper.mapping.accounts.settings;
    await results.add({ file, row: row.row, key: this.mapper.keyOf(row), ...result });
  }

  private conflictOf(line: number, index: AccountIndex, { row }: CsvRow): RowError {
    const { name, file } = this.mapper.mapping.accounts.settings;
    const { first, last } = index.linesOf(line);
    return {
      source: name,
      file,
      row,
      code: 'conflicting_rows',
      detail: `Rows with the same account number make different accounts (the first is row ${this.rowOfLine.get(first)}, the last is row ${this.rowOfLine.get(last)}), so none of them is sent. Keep one of them, or use --last-wins.`,
    };
  }
}

/** The errors of one of the lines of a row. */
function locateIn(errors: readonly FieldError[], { lines }: BuiltRow, nth: number): RowError[] {
  const line = lines[nth];
  return line === undefined ? [] : locate(errors, line);
}

interface Report {
  readonly results: ResultsFile;
  readonly rejected: RejectedRows;
  readonly tally: ErrorTally;
  readonly outcomes: LineOutcomes;
  readonly index: AccountIndex;
}

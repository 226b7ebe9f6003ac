import { CsvFile } from '../csv-file';
import type { SourceSettings } from '../source-settings';
import { quoteSample } from '../quote-value';
import type { CsvGuess } from './csv-guess';

/** How many rows of each file are read at most. */
export const SAMPLE_ROWS = 1000;

/** A file of which some rows were read. */
export interface FileSample {
  readonly settings: SourceSettings;
  readonly guess: CsvGuess;
  readonly columns: readonly ColumnSample[];
  readonly rows: number;
}

/** The cells of a column in the rows that were read, without spaces around them. */
export interface ColumnSample {
  readonly name: string;
  readonly cells: readonly string[];
  /** The cells that are not empty. */
  readonly values: readonly string[];
}

/**
 * The start of a file, with the encoding and delimiter that are guessed.
 * @throws UsageError if it is no CSV file with them
 */
export async function sampleFile(
  name: string,
  file: string,
  path: string,
  guess: CsvGuess,
): Promise<FileSample> {
  const settings: SourceSettings = {
    name,
    file,
    path,
    encoding: guess.encoding.value,
    delimiter: guess.delimiter.value,
    quote: '"',
    key: '',
    order: undefined,
  };
  const csv = await CsvFile.open(settings);
  const rows: (readonly string[])[] = [];
  for await (const { cells } of csv.rows()) {
    rows.push(cells);
    if (rows.length === SAMPLE_ROWS) break;
  }
  const columns = csv.header.columns.map((column, index) => {
    const cells = rows.map((row) => (row[index] as string).trim());
    return { name: column, cells, values: cells.filter((cell) => cell !== '') };
  });
  return { settings, guess, columns, rows: rows.length };
}

/** Up to three different values, as a comment has them. */
export function samplesOf({ values }: ColumnSample): string {
  const different = [...new Set(values)];
  if (different.length === 0) return 'all cells are empty';
  return different.slice(0, 3).map(quoteSample).join(', ') + (different.length > 3 ? ', ...' : '');
}

import { UsageError } from '../usage-error';
import type { CsvFile, CsvRow } from './csv-file';

/** The rows of one source besides that of the accounts, which are held in memory. */
export const MAX_CHILD_ROWS = 1_000_000;

/** The rows of a source by their key, in the order of the source. */
export class ChildRows {
  private readonly asked = new Set<string>();

  private constructor(
    readonly file: CsvFile,
    private readonly byKey: ReadonlyMap<string, CsvRow[]>,
  ) {}

  /** Reads a whole file. @throws UsageError if it has too many rows, or a cell of its order cannot be read */
  static async read(file: CsvFile, limit = MAX_CHILD_ROWS): Promise<ChildRows> {
    const { settings } = file;
    const key = file.indexOf(settings.key) as number;
    const byKey = new Map<string, CsvRow[]>();
    let count = 0;
    for await (const row of file.rows()) {
      count += 1;
      if (count > limit)
        throw new UsageError(
          `${settings.file} has more than ${limit} rows. Rows that belong to accounts are held in memory: divide the files by account.`,
        );
      const value = (row.cells[key] as string).trim();
      const rows = byKey.get(value);
      if (rows) rows.push(row);
      else byKey.set(value, [row]);
    }
    for (const rows of byKey.values()) sortRows(rows, file);
    return new ChildRows(file, byKey);
  }

  rowsOf(key: string): readonly CsvRow[] {
    const rows = this.byKey.get(key);
    if (rows === undefined) return [];
    this.asked.add(key);
    return rows;
  }

  /** The rows that nothing has asked for, in the order of the file. */
  orphans(): CsvRow[] {
    return [...this.byKey]
      .flatMap(([key, rows]) => (this.asked.has(key) ? [] : rows))
      .sort((one, other) => one.row - other.row);
  }
}

/** Sorts the rows of a key; rows that are equal in the order keep that of the file. */
function sortRows(rows: CsvRow[], source: CsvFile): void {
  const { order, file } = source.settings;
  if (order === undefined) return;
  const index = source.indexOf(order.column) as number;
  const place = (row: CsvRow): string => {
    const cell = (row.cells[index] as string).trim();
    const value = order.read === undefined || cell === '' ? cell : order.read(cell);
    if (value === undefined)
      throw new UsageError(
        `${file}, row ${row.row}, ${order.column}: ${JSON.stringify(cell)} is not in the form that order gives.`,
      );
    return value;
  };
  const places = new Map(rows.map((row) => [row, place(row)]));
  rows.sort((one, other) => {
    const [left, right] = [places.get(one) as string, places.get(other) as string];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

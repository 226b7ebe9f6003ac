import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(__dirname, '..', '..', 'docs');

/** A row of a table, by column. */
export type Row = Readonly<Record<string, string | number>>;

/**
 * Writes rows into the table of a page of docs, between the comments `<!-- table: name -->` and `<!-- end: name -->`. A row
 * replaces that of an earlier run. A table with other columns is replaced as a whole.
 *
 * @throws Error if the page has no such comments
 */
export function writeRows(page: string, name: string, rows: readonly Row[], keys = 2): void {
  const file = join(DOCS, page);
  const text = readFileSync(file, 'utf8');
  const [start, end] = [`<!-- table: ${name} -->`, `<!-- end: ${name} -->`];
  const [before, rest = ''] = text.split(start);
  const [table = '', after] = rest.split(end);
  if (before === undefined || after === undefined)
    throw new Error(`docs/${page} has no ${start} and ${end}.`);
  writeFileSync(file, `${before}${start}\n\n${mergeTable(table, rows, keys)}\n\n${end}${after}`);
}

/** The table with the rows, in Markdown. The first columns, as many as `keys`, tell which row it is. */
function mergeTable(table: string, rows: readonly Row[], keys = 2): string {
  const columns = Object.keys(rows[0]!);
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const head = [line(columns), line(columns.map(() => '---'))];
  const [oldHead, , ...oldRows] = table.trim().split('\n');
  const kept = oldHead === head[0] ? oldRows : [];
  const keyOf = (row: string) => row.split(' | ').slice(0, keys).join(' | ');
  const merged = new Map(kept.map((row) => [keyOf(row), row]));
  for (const row of rows) {
    const written = line(columns.map((column) => row[column] ?? ''));
    merged.set(keyOf(written), written);
  }
  return [...head, ...merged.values()].join('\n');
}

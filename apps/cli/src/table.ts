import { escapeForTerminal } from '@portage/text';
import Table from 'cli-table3';

/** A text table, or the sentence `empty` if there are no rows. */
export function table(head: string[], rows: (string | number)[][], empty: string): string {
  if (rows.length === 0) return empty;
  const drawing = new Table({ head, style: { head: [], border: [] } });
  // Escaped before the layout, which would count escape sequences as columns.
  for (const row of rows) drawing.push(row.map(escapeCell));
  return drawing.toString();
}

/** A text table of one object, with a line for each field. */
export function sheet(fields: object): string {
  const drawing = new Table({ style: { head: [], border: [] } });
  for (const [name, value] of Object.entries(fields) as [string, unknown][])
    drawing.push({ [escapeForTerminal(name)]: escapeForTerminal(formatValue(value)) });
  return drawing.toString();
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function escapeCell(cell: string | number): string | number {
  return typeof cell === 'string' ? escapeForTerminal(cell) : cell;
}

import Table from 'cli-table3';

/** A table for people; says so when it has no rows. */
export function table(head: string[], rows: (string | number)[][], empty: string): string {
  if (rows.length === 0) return empty;
  const drawn = new Table({ head, style: { head: [], border: [] } });
  drawn.push(...rows);
  return drawn.toString();
}

/** One thing with all its fields, a line each. */
export function sheet(fields: Record<string, unknown>): string {
  const drawn = new Table({ style: { head: [], border: [] } });
  for (const [name, value] of Object.entries(fields)) drawn.push({ [name]: plain(value) });
  return drawn.toString();
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

import type { ClientBase, Pool, QueryArrayResult } from 'pg';

/** The property of each column that was read so far. There are as many as names of columns in the SQL of this release. */
const properties = new Map<string, string>();

/** The property of a column, as `PostgresNamingStrategy` names them for entities: `created_at` is read as `createdAt`. */
export function propertyOf(column: string): string {
  const known = properties.get(column);
  if (known !== undefined) return known;
  const property = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  properties.set(column, property);
  return property;
}

/** The column of a property, as `PostgresNamingStrategy` names them: the reverse of {@link propertyOf}. */
export function columnOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type ColumnOf<Property extends string> = Property extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${ColumnOf<Rest>}`
  : '';

/** The members of a row under the names of their columns. */
export type ByColumn<Row> = { [Property in keyof Row & string as ColumnOf<Property>]: Row[Property] };

/** Renames the members of a row to the names of their columns, which answers have too. `omitted` are left out. */
export function byColumn<Row extends object, Omitted extends keyof Row & string = never>(
  row: Row,
  ...omitted: readonly Omitted[]
): ByColumn<Omit<Row, Omitted>> {
  const entries = Object.entries(row) as [string, unknown][];
  const members = entries.filter(([property]) => !omitted.some((name) => name === property));
  return Object.fromEntries(members.map(([property, value]) => [columnOf(property), value])) as ByColumn<
    Omit<Row, Omitted>
  >;
}

type PropertyOf<Column extends string> = Column extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<PropertyOf<Rest>>}`
  : Column;

/** Renames members that have the names of columns to properties: the reverse of {@link byColumn}. */
export function byProperty<Row extends object>(
  row: Row,
): { [Column in keyof Row & string as PropertyOf<Column>]: Row[Column] } {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [propertyOf(column), value]),
  ) as ReturnType<typeof byProperty<Row>>;
}

/** The rows of a result that was read with `rowMode: 'array'`, as objects whose properties are in camelCase. */
export function rowObjects<Row extends object>({ fields, rows }: QueryArrayResult): Row[] {
  if (rows.length === 0) return [];
  const names = fields.map(({ name }) => propertyOf(name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
    return row as Row;
  });
}

/** Runs SQL on a connection that is not one of TypeORM's, and returns its rows as {@link rowObjects}. */
export async function queryRows<Row extends object>(
  client: Pick<ClientBase | Pool, 'query'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return rowObjects<Row>(await client.query({ text, values: [...values], rowMode: 'array' }));
}

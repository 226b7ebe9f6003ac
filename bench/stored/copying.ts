import type { Installation } from '../environment/installation';

/** The schema of the original rows, in tables with their original names. */
export const SEEDS = 'bench_seed';

/** A table that stores parts of accounts. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The JSON columns. */
  readonly documents: readonly string[];
}

/** The tables with one row per account that contain its account number. */
export const NUMBERED_TABLES: readonly string[] = ['import_process', 'account'];

/** The offset between the ids of copies and originals, as a SQL expression, by table. */
export type Shifts = ReadonlyMap<string, string>;

type ColumnVariant = (value: string, salt: string) => string;

const hashed: ColumnVariant = (_value, salt) => `'BENCH-' || left(md5((${salt})::text), 16)`;
const prefixed: ColumnVariant = (value, salt) => `left(md5((${salt})::text), 16) || '-' || ${value}`;
// The last character distinguishes it from the identifiers of real supply points, which can be charged once.
const digits: ColumnVariant = (value, salt) =>
  `left(translate(md5(${value} || (${salt})), 'abcdef', '012345'), length(${value}) - 1) || 'X'`;
const numbered: ColumnVariant = () => 'made.number';

/** Columns that must be unique or have an index, with expressions that distribute the values over the index. */
const COLUMN_VARIANTS: Readonly<Record<string, ColumnVariant>> = {
  'import_process.external_account_number': hashed,
  'import_process.external_identifier': hashed,
  'import_process.account_number': numbered,
  'account.external_account_number': hashed,
  'account.external_identifier': hashed,
  'account.number': numbered,
  'account_reference.value': prefixed,
  'customer.email': prefixed,
  'debt.cais_reference': prefixed,
  'supply_point.identifier': digits,
  'charged_period.supply_point_identifier': digits,
};

/** Reads the offsets of the ids of the next copies. */
export async function readShifts(installation: Installation, tables: readonly Table[]): Promise<Shifts> {
  const shifts = new Map<string, string>();
  for (const { name, columns } of tables) {
    if (!columns.includes('id')) continue;
    const [row] = await installation.sql<{ base: string; step: string }>(
      `SELECT (SELECT coalesce(max(id), 0) FROM "${name}") AS base,
        (SELECT coalesce(max(id), 0) FROM ${SEEDS}."${name}") AS step`,
    );
    shifts.set(name, `${row?.base} + copy * ${row?.step}`);
  }
  return shifts;
}

/**
 * The statement that inserts the copies `$1` to `$2` of the original rows of a table. For a numbered table, `$3` has the
 * account number of each row. Rows are inserted in the order of their ids, so that primary keys grow at the end.
 */
export function copyStatement({ name, columns, documents }: Table, shifts: Shifts): string {
  const shift = (table: string) => shifts.get(table) ?? '0';
  const owner =
    name === 'import_process' ? 'seed.id' : columns.includes('process_id') ? 'seed.process_id' : undefined;
  const salt =
    owner === undefined ? `seed.account_id + ${shift('account')}` : `${owner} + ${shift('import_process')}`;
  const value = (column: string) => {
    const own = `seed."${column}"`;
    // JSON columns have no index and are not read again, but they are two thirds of the bytes.
    if (documents.includes(column)) return `'{}'`;
    if (column === 'id') return `${own} + ${shift(name)}`;
    if (column === 'account_id') return `${own} + ${shift('account')}`;
    if (column === 'process_id') return `${own} + ${shift('import_process')}`;
    return COLUMN_VARIANTS[`${name}.${column}`]?.(own, salt) ?? own;
  };
  const isNumbered = NUMBERED_TABLES.includes(name);
  return `
    INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(value).join(', ')}
    FROM generate_series($1::bigint, $2::bigint) AS copy
    CROSS JOIN (SELECT *, row_number() OVER (ORDER BY ctid) AS place FROM ${SEEDS}."${name}") AS seed
    ${isNumbered ? `JOIN unnest($3::text[]) WITH ORDINALITY AS made (number, nth) ON nth = (copy - $1) * (SELECT count(*) FROM ${SEEDS}."${name}") + seed.place` : ''}
    ORDER BY copy, seed.place`;
}

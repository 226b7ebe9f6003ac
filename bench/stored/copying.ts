import type { Installation } from '../environment/installation';

/** Where the rows are kept that are copied, under the names of their tables. */
export const SEEDS = 'bench_seed';

/** A table that accounts are spread over. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Those of its columns that are JSON. */
  readonly documents: readonly string[];
}

/** Tables with a row an account that has its number: the one that Portage would have given it. */
export const NUMBERED: readonly string[] = ['import_process', 'account'];

/** By how much ids of copies are larger than those of seeds, by the table that the ids are of. */
export type Shifts = ReadonlyMap<string, string>;

type Varied = (value: string, salt: string) => string;

const hashed: Varied = (_value, salt) => `'BENCH-' || left(md5((${salt})::text), 16)`;
const prefixed: Varied = (value, salt) => `left(md5((${salt})::text), 16) || '-' || ${value}`;
// Its last character keeps it apart from the identifiers of real supply points, which are charged once.
const digits: Varied = (value, salt) =>
  `left(translate(md5(${value} || (${salt})), 'abcdef', '012345'), length(${value}) - 1) || 'X'`;
const numbered: Varied = () => 'made.number';

/** What must differ from copy to copy, or has an index: strewn over it, as if it had come from anywhere. */
const VARIED: Readonly<Record<string, Varied>> = {
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

/** The next ids, for copies of the seeds from 0 on. */
export async function shiftsOf(installation: Installation, tables: readonly Table[]): Promise<Shifts> {
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
 * Copies the seeds of a table, from copy `$1` to copy `$2`. Of a numbered table, `$3` are the numbers, as many as rows.
 * In the order of the ids, so that primary keys grow at their end.
 */
export function copyText({ name, columns, documents }: Table, shifts: Shifts): string {
  const shift = (table: string) => shifts.get(table) ?? '0';
  const owner =
    name === 'import_process' ? 'seed.id' : columns.includes('process_id') ? 'seed.process_id' : undefined;
  const salt =
    owner === undefined ? `seed.account_id + ${shift('account')}` : `${owner} + ${shift('import_process')}`;
  const value = (column: string) => {
    const own = `seed."${column}"`;
    // No index has them and nobody reads them again, but they are two thirds of the bytes.
    if (documents.includes(column)) return `'{}'`;
    if (column === 'id') return `${own} + ${shift(name)}`;
    if (column === 'account_id') return `${own} + ${shift('account')}`;
    if (column === 'process_id') return `${own} + ${shift('import_process')}`;
    return VARIED[`${name}.${column}`]?.(own, salt) ?? own;
  };
  const isNumbered = NUMBERED.includes(name);
  return `
    INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(value).join(', ')}
    FROM generate_series($1::bigint, $2::bigint) AS copy
    CROSS JOIN (SELECT *, row_number() OVER (ORDER BY ctid) AS place FROM ${SEEDS}."${name}") AS seed
    ${isNumbered ? `JOIN unnest($3::text[]) WITH ORDINALITY AS made (number, nth) ON nth = (copy - $1) * (SELECT count(*) FROM ${SEEDS}."${name}") + seed.place` : ''}
    ORDER BY copy, seed.place`;
}

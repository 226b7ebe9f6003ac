import { findCountDifferences } from './check-counts';
import type { ReadableService } from './clients';

type Database = Pick<ReadableService, 'sql'>;

export interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  /** Columns of the child, each with the referenced column of the parent. */
  columns: { from: string; to: string }[];
}

/**
 * Checks the foreign keys of all tables, which come from the catalog, so that new tables are included, and that the
 * counts of processes and lines are those of the tables.
 *
 * @param equal prefix of the numbers of accounts with equal bodies, which must have as many rows in every table
 * @returns one line for each kind of violation, with examples
 */
export async function checkTables(database: Database, equal?: string): Promise<string[]> {
  const keys = await findForeignKeys(database);
  const violations: string[] = [];
  for (const key of keys) violations.push(...(await findOrphans(database, key)));
  const differences = await findCountDifferences(async (text) => database.sql(text));
  violations.push(...describeViolation('counts that differ from the tables', differences));
  if (equal === undefined) return violations;
  for (const path of accountDescendants(keys))
    violations.push(...(await findUnequalAccounts(database, path, `${equal}-%`)));
  return violations;
}

/** Reads every foreign key of the database. */
export async function findForeignKeys(database: Database): Promise<ForeignKey[]> {
  return database.sql<ForeignKey>(`
    SELECT key.conname AS name, key.conrelid::regclass::text AS child, key.confrelid::regclass::text AS parent,
      json_agg(json_build_object('from', quote_ident(child.attname), 'to', quote_ident(parent.attname))) AS columns
    FROM pg_constraint key
    CROSS JOIN unnest(key.conkey, key.confkey) AS pair (child, parent)
    JOIN pg_attribute child ON child.attrelid = key.conrelid AND child.attnum = pair.child
    JOIN pg_attribute parent ON parent.attrelid = key.confrelid AND parent.attnum = pair.parent
    WHERE key.contype = 'f'
    GROUP BY key.oid, key.conname, key.conrelid, key.confrelid
    ORDER BY 2, 1`);
}

/** The paths from `account` to every table that references it directly or indirectly, each as a list of foreign keys. */
export function accountDescendants(keys: readonly ForeignKey[]): ForeignKey[][] {
  const below = (table: string, path: readonly ForeignKey[]): ForeignKey[][] =>
    keys
      .filter(({ parent, child }) => parent === table && !path.some((key) => key.parent === child))
      .filter(({ parent, child }) => parent !== child)
      .flatMap((key) => [[...path, key], ...below(key.child, [...path, key])]);
  return below('account', []);
}

/** Finds rows whose referenced row does not exist. A crash must not have caused any, although PostgreSQL checks them. */
async function findOrphans(
  database: Database,
  { name, child, parent, columns }: ForeignKey,
): Promise<string[]> {
  const isParent = columns.map(({ from, to }) => `parent.${to} = child.${from}`).join(' AND ');
  const hasKey = columns.map(({ from }) => `child.${from} IS NOT NULL`).join(' AND ');
  const rows = await database.sql(
    `SELECT child.* FROM ${child} child WHERE ${hasKey} AND NOT EXISTS (SELECT 1 FROM ${parent} parent WHERE ${isParent})`,
  );
  return describeViolation(`rows of ${child} without the referenced row (${name})`, rows);
}

async function findUnequalAccounts(
  database: Database,
  path: readonly ForeignKey[],
  pattern: string,
): Promise<string[]> {
  const joins = path.map(({ child, columns }, depth) => {
    const on = columns.map(({ from, to }) => `t${depth + 1}.${from} = t${depth}.${to}`).join(' AND ');
    return `LEFT JOIN ${child} t${depth + 1} ON ${on}`;
  });
  const last = path.at(-1)!;
  const counts = await database.sql(
    `SELECT rows, count(*)::int AS accounts, min(external_account_number) AS example FROM (
       SELECT t0.external_account_number, count(t${path.length}.${last.columns[0]!.from})::int AS rows
       FROM account t0 ${joins.join(' ')} WHERE t0.external_account_number LIKE $1 GROUP BY t0.id
     ) counted GROUP BY rows`,
    [pattern],
  );
  return counts.length > 1
    ? describeViolation(`different numbers of rows in ${last.child} for equal accounts`, counts)
    : [];
}

function describeViolation(title: string, rows: readonly object[]): string[] {
  if (rows.length === 0) return [];
  const examples = rows.slice(0, 5).map((row) => JSON.stringify(row));
  return [`${rows.length} ${title}, such as ${examples.join(', ')}`];
}

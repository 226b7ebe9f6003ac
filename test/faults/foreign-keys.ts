import type { TestPortage } from '@portage/testing';

export interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  /** Columns of the child, each with the referenced column of the parent. */
  columns: { from: string; to: string }[];
}

/** Reads every foreign key of the database. */
export async function findForeignKeys(portage: TestPortage): Promise<ForeignKey[]> {
  return portage.sql<ForeignKey>(`
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

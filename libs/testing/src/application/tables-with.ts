import type { TestApplication } from './test-application';

/** The tables of the database, including those of the queues, that contain text that matches the pattern. */
export async function tablesWith({ sql, countRows }: TestApplication, pattern: string): Promise<string[]> {
  const tables = await sql<{ name: string }>(`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`);
  expect(tables.length).toBeGreaterThan(30);
  const matching: string[] = [];
  for (const { name } of tables)
    if ((await countRows(`${name} AS row WHERE row::text ~* $1`, [pattern])) > 0)
      matching.push(name.replace('public.', ''));
  return matching;
}

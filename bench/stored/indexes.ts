import { deepStrictEqual } from 'node:assert';
import type { Installation } from '../environment/installation';
import { onLoadingSessions } from './sessions';

interface Index {
  readonly name: string;
  readonly table: string;
  /** What makes it again. */
  readonly make: string;
  readonly drop: string;
}

/** Primary keys stay: rows are stored in their order, and foreign keys refer to them. */
const SECONDARY = `
  SELECT index.relname AS name, "table".relname AS table,
    CASE WHEN "constraint".oid IS NULL THEN pg_get_indexdef(index.oid)
      ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', "table".oid::regclass, conname, pg_get_constraintdef("constraint".oid))
      END AS make,
    CASE WHEN "constraint".oid IS NULL THEN format('DROP INDEX %s', index.oid::regclass)
      ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', "table".oid::regclass, conname) END AS drop
  FROM pg_index
  JOIN pg_class index ON index.oid = indexrelid
  JOIN pg_class "table" ON "table".oid = indrelid
  LEFT JOIN pg_constraint "constraint" ON conindid = indexrelid AND contype IN ('u', 'x')
  WHERE NOT indisprimary AND "table".relname = ANY($1) AND "table".relnamespace = 'public'::regnamespace
  ORDER BY name`;

/** Takes away the indexes that would be filled in a random order, and builds them again after the work. */
export async function withoutSecondaryIndexes(
  installation: Installation,
  tables: readonly string[],
  say: (progress: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await installation.sql<Index>(SECONDARY, [tables]);
  for (const { drop } of indexes) await installation.sql(drop);
  await work();
  say(`building ${indexes.length} indexes`);
  await onLoadingSessions(
    installation,
    indexes.map(
      ({ make }) =>
        async (client) =>
          client.query(make),
    ),
  );
  deepStrictEqual(await installation.sql<Index>(SECONDARY, [tables]), indexes, 'Not the same indexes.');
}

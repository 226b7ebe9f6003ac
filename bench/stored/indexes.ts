import { deepStrictEqual } from 'node:assert';
import type { Installation } from '../environment/installation';
import { runOnLoadingSessions } from './sessions';

interface Index {
  readonly name: string;
  readonly table: string;
  /** The statement that creates the index. */
  readonly create: string;
  readonly drop: string;
}

/** All indexes except primary keys, in whose order the rows are inserted and which foreign keys reference. */
const SECONDARY = `
  SELECT index.relname AS name, "table".relname AS table,
    CASE WHEN "constraint".oid IS NULL THEN pg_get_indexdef(index.oid)
      ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', "table".oid::regclass, conname, pg_get_constraintdef("constraint".oid))
      END AS create,
    CASE WHEN "constraint".oid IS NULL THEN format('DROP INDEX %s', index.oid::regclass)
      ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', "table".oid::regclass, conname) END AS drop
  FROM pg_index
  JOIN pg_class index ON index.oid = indexrelid
  JOIN pg_class "table" ON "table".oid = indrelid
  LEFT JOIN pg_constraint "constraint" ON conindid = indexrelid AND contype IN ('u', 'x')
  WHERE NOT indisprimary AND "table".relname = ANY($1) AND "table".relnamespace = 'public'::regnamespace
  ORDER BY name`;

/** Drops the indexes that would be filled in random order, and creates them again after the work. */
export async function withoutSecondaryIndexes(
  installation: Installation,
  tables: readonly string[],
  log: (progress: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await installation.sql<Index>(SECONDARY, [tables]);
  for (const { drop } of indexes) await installation.sql(drop);
  await work();
  log(`building ${indexes.length} indexes`);
  await runOnLoadingSessions(
    installation,
    indexes.map(
      ({ create }) =>
        async (client) =>
          client.query(create),
    ),
  );
  deepStrictEqual(await installation.sql<Index>(SECONDARY, [tables]), indexes, 'The indexes differ.');
}

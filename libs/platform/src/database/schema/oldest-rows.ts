import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { translateErrors } from '../connection/database-unavailable';

/** Rows to change or to delete. */
export interface OldRows<Row> {
  /** SQL about `old`, with the columns as properties. */
  where: string;
  parameters: ObjectLiteral;
  orderBy: keyof Row & string;
  limit: number;
}

/**
 * Deletes the first rows that match a condition. Rows that another transaction holds are left out, so that several
 * workers share the work.
 *
 * @returns the number of deleted rows
 */
export async function deleteOldest<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  rows: OldRows<Row>,
): Promise<number> {
  const { affected } = await translateErrors(
    manager
      .createQueryBuilder()
      .delete()
      .from(entity)
      .where(isOldest(manager, entity, rows), rows.parameters)
      .execute(),
  );
  return affected ?? 0;
}

/** Changes rows as {@link deleteOldest} deletes them. Returns their number. */
export async function updateOldest<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  rows: OldRows<Row>,
  change: QueryDeepPartialEntity<Row>,
): Promise<number> {
  const { affected } = await translateErrors(
    manager
      .createQueryBuilder()
      .update(entity)
      .set(change)
      .where(isOldest(manager, entity, rows), rows.parameters)
      .execute(),
  );
  return affected ?? 0;
}

/** Builds the SQL condition that is true for the first rows. It locks them. */
function isOldest<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  { where, orderBy, limit }: OldRows<Row>,
): string {
  const keys = manager.dataSource.getMetadata(entity).primaryColumns;
  const oldest = manager
    .createQueryBuilder(entity, 'old')
    .select(keys.map(({ propertyName }) => `old.${propertyName}`))
    .where(where)
    .orderBy(`old.${orderBy}`)
    .limit(limit)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked');
  return `(${keys.map(({ databaseName }) => databaseName).join(', ')}) IN (${oldest.getQuery()})`;
}

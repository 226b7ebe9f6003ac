import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { translateErrors } from '../connection/database-unavailable';

/** Rows to delete. */
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
  { where, parameters, orderBy, limit }: OldRows<Row>,
): Promise<number> {
  const keys = manager.dataSource.getMetadata(entity).primaryColumns;
  const oldest = manager
    .createQueryBuilder(entity, 'old')
    .select(keys.map(({ propertyName }) => `old.${propertyName}`))
    .where(where)
    .orderBy(`old.${orderBy}`)
    .limit(limit)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked');
  const names = keys.map(({ databaseName }) => databaseName).join(', ');
  const { affected } = await translateErrors(
    manager
      .createQueryBuilder()
      .delete()
      .from(entity)
      .where(`(${names}) IN (${oldest.getQuery()})`, parameters)
      .execute(),
  );
  return affected ?? 0;
}

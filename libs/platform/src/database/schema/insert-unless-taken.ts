import type { ObjectLiteral, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

/** Inserts a row with a unique name. @returns false if the name is taken; nothing has changed then */
export async function insertUnlessTaken<Row extends ObjectLiteral & { id: number }>(
  repository: Repository<Row>,
  values: QueryDeepPartialEntity<Row>,
): Promise<boolean> {
  const inserted = await repository
    .createQueryBuilder()
    .insert()
    .values(values)
    .orIgnore()
    .returning('id')
    .execute();
  return (inserted.raw as unknown[]).length > 0;
}

import type { Database } from '@portage/platform';
import type { ImportSupplierEntity } from '@portage/tenants';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { AccountEntity } from './account.entity';
import type { AccountLabel } from './account-label';

/** Work for an account that a job does. */
interface FollowUpRow extends ObjectLiteral {
  account?: AccountEntity;
  enqueuedAt: string;
}

/** An account whose row has only what {@link labelOf} reads. */
type LabelledAccount = Pick<AccountEntity, 'id' | 'externalAccountNumber'> & {
  supplier: Pick<ImportSupplierEntity, 'code' | 'organisationId'>;
};

/**
 * Returns PENDING rows that were enqueued `olderThanMs` ago or earlier, the longest waiting first, and marks them as
 * enqueued now. Rows that another sweeper takes are left out.
 */
export async function takeStale<Row extends FollowUpRow>(
  database: Database,
  entity: EntityTarget<Row>,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<(Row & { account: LabelledAccount })[]> {
  return database.transaction(async ({ manager }) => {
    const key = manager.dataSource.getMetadata(entity).primaryColumns[0]?.propertyName as string;
    const stale = await manager
      .createQueryBuilder(entity, 'stale')
      .select(`stale.${key}`)
      .addSelect(['account.id', 'account.externalAccountNumber'])
      .addSelect(['supplier.id', 'supplier.code', 'supplier.organisationId'])
      .innerJoin('stale.account', 'account')
      .innerJoin('account.supplier', 'supplier')
      .where(
        `stale.state = 'PENDING' AND stale.enqueuedAt < now() - :olderThanMs * interval '1 millisecond'`,
        {
          olderThanMs,
        },
      )
      .orderBy('stale.enqueuedAt')
      .limit(limit)
      .setLock('pessimistic_write', undefined, ['stale'])
      .setOnLocked('skip_locked')
      .getMany();
    if (stale.length > 0)
      await manager
        .createQueryBuilder()
        .update(entity)
        .set({ enqueuedAt: () => 'now()' } as QueryDeepPartialEntity<Row>)
        .where(`${key} IN (:...keys)`, { keys: stale.map((row) => row[key] as string) })
        .execute();
    return stale as (Row & { account: LabelledAccount })[];
  });
}

/** What a job says about its account. */
export function labelOf({ externalAccountNumber, supplier }: LabelledAccount): AccountLabel {
  return { organisationId: supplier.organisationId, supplier: supplier.code, externalAccountNumber };
}

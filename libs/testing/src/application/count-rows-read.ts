import { Database, type Executor, rehearse } from '@portage/platform';
import { SessionDatabase } from './session-database';
import type { TestApplication } from './test-application';

/**
 * Counts the rows that statements read from all tables, also those that they leave out. What they write is undone.
 *
 * @param work its statements run on the database that it gets
 */
export async function countRowsRead(
  { app }: Pick<TestApplication, 'app'>,
  work: (database: Database) => Promise<unknown>,
): Promise<number> {
  const count = async ({ manager }: Executor) => {
    const [counted] = await manager.query<{ read: number }[]>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read FROM pg_stat_xact_user_tables`,
    );
    return counted!.read;
  };
  return app.get(Database).transaction(async (executor) => {
    // The counts of the session begin before the transaction.
    const before = await count(executor);
    await rehearse(executor, async () => work(new SessionDatabase(executor)));
    return (await count(executor)) - before;
  });
}

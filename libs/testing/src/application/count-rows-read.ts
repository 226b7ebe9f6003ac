import type { Executor } from '@portage/platform';

/**
 * Counts the rows that a statement of a transaction reads from a table, also those that it leaves out.
 *
 * @param work runs in the transaction of the executor
 */
export async function countRowsRead(
  { manager }: Executor,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const count = async () => {
    const [counted] = await manager.query<{ read: number }[]>(
      `SELECT (seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    );
    return counted!.read;
  };
  // The counts of the session begin before the transaction.
  const before = await count();
  await work();
  return (await count()) - before;
}

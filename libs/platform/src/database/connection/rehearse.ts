import type { Executor } from './database';
import { translateErrors } from './database-unavailable';

/** Runs `work` within a transaction, and undoes what it has written. The transaction goes on, with its locks. */
export async function rehearse<T>({ manager }: Executor, work: () => Promise<T>): Promise<T> {
  const runner = manager.queryRunner;
  if (!runner?.isTransactionActive) throw new RangeError('A rehearsal needs a transaction.');
  // TypeORM makes a savepoint of a transaction in a transaction.
  await translateErrors(runner.startTransaction());
  try {
    return await work();
  } finally {
    await translateErrors(runner.rollbackTransaction());
  }
}

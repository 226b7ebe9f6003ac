import type { QueryRunner } from 'typeorm';

/**
 * Time for which a build waits for the transactions that were open when it began. Nothing waits for the build meanwhile,
 * and a build that gives up begins anew, so it waits for longer than other migrations do.
 */
const MAX_WAIT_MS = 300_000;

/**
 * Builds an index beside reads and writes, for a migration with `transaction = false`. An index that an interrupted
 * migration has left invalid is dropped first, so that the migration is safe to repeat.
 *
 * @param definition what follows the name: `ON table (column) WHERE ...`
 * @throws QueryFailedError 55P03 if a transaction stays open for {@link MAX_WAIT_MS}, or for `maxWaitMs`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
  { isUnique = false, maxWaitMs = MAX_WAIT_MS }: { isUnique?: boolean; maxWaitMs?: number } = {},
): Promise<void> {
  await runner.query(`SET lock_timeout = ${maxWaitMs}`);
  try {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

import type { QueryRunner } from 'typeorm';

/**
 * Builds an index beside reads and writes, for a migration with `transaction = false`. An index that an interrupted
 * migration has left invalid is dropped first, so that the migration is safe to repeat.
 *
 * @param definition what follows the name: `ON table (column) WHERE ...`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
  { isUnique = false }: { isUnique?: boolean } = {},
): Promise<void> {
  // The build waits for the transactions in progress, which do not wait for it.
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

import type { Executor } from '../connection/database';
import { lockNumber } from './lock-key';

/** What a lock is for (`lockKey`), the id of its owner, and its name among the locks of the owner. */
type LockName = readonly [purpose: string, owner?: string | number, name?: string | number];

const KEY = lockNumber('$1::text');

/** Takes a lock until the transaction ends. Waits while another transaction has it. */
export async function takeAdvisoryLock(
  executor: Executor,
  ...[purpose, owner = '', name = '']: LockName
): Promise<void> {
  await executor.manager.query(`SELECT pg_advisory_xact_lock(${KEY})`, [[purpose, owner, name].join(' ')]);
}

/** As {@link takeAdvisoryLock}, without waiting. @returns false if another transaction has the lock */
export async function tryAdvisoryLock(
  executor: Executor,
  ...[purpose, owner = '', name = '']: LockName
): Promise<boolean> {
  const [row] = await executor.manager.query<{ taken: boolean }[]>(
    `SELECT pg_try_advisory_xact_lock(${KEY}) AS taken`,
    [[purpose, owner, name].join(' ')],
  );
  return row?.taken ?? false;
}

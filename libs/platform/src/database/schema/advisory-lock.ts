import type { Executor, Statement } from '../connection/database';
import { lockNumber } from './lock-key';

/** What a lock is for (`lockKey`), the id of its owner, and its name among the locks of the owner. */
type LockName = readonly [purpose: string, owner?: string | number, name?: string | number];

const KEY = lockNumber('$1::text');

const takeLock: Statement = {
  name: 'take-advisory-lock',
  text: `SELECT pg_advisory_xact_lock(${KEY})`,
};

const tryLock: Statement = {
  name: 'try-advisory-lock',
  text: `SELECT pg_try_advisory_xact_lock(${KEY}) AS is_taken`,
};

/** Takes a lock until the transaction ends. Waits while another transaction has it. */
export async function takeAdvisoryLock(
  executor: Executor,
  ...[purpose, owner = '', name = '']: LockName
): Promise<void> {
  await executor.run(takeLock, [[purpose, owner, name].join(' ')]);
}

/** As {@link takeAdvisoryLock}, without waiting. @returns false if another transaction has the lock */
export async function tryAdvisoryLock(
  executor: Executor,
  ...[purpose, owner = '', name = '']: LockName
): Promise<boolean> {
  const [row] = await executor.run<{ isTaken: boolean }>(tryLock, [[purpose, owner, name].join(' ')]);
  return row?.isTaken ?? false;
}

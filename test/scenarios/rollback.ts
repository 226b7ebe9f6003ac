import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram, until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';

const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Starts the command that rolls a submission back, and kills it once at most `most` accounts are left.
 *
 * @returns the number of those
 * @throws Error if it ended before
 */
export async function killRollback(
  installation: Installation,
  id: string,
  most: number,
  { timeoutMs, env = {} }: { timeoutMs: number; env?: NodeJS.ProcessEnv },
): Promise<number> {
  const child = spawn(process.execPath, [builtProgram('cli'), 'submission', 'rollback', id, '--yes'], {
    env: { ...installation.env, ...env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit') as Promise<[status: number | null]>;
  const countAccounts = async () =>
    installation.countRows(
      'account WHERE process_id IN (SELECT id FROM import_process WHERE submission_id = $1)',
      [id],
    );
  try {
    await until(
      async () => child.exitCode !== null || (await countAccounts()) <= most,
      'the rollback deleted too few accounts',
      timeoutMs,
    );
  } finally {
    child.kill('SIGKILL');
  }
  const [status] = await exited;
  if (status !== null) throw new Error(`The rollback ended with status ${status} before it was killed.`);
  // PostgreSQL may still be committing the last batch of the killed process. API and worker are idle.
  await until(
    async () =>
      (await installation.countRows(
        `pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
           AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
      )) === 0,
    'PostgreSQL still runs a statement of the killed rollback',
    STATEMENT_TIMEOUT_MS,
  );
  const left = await countAccounts();
  if (left === 0) throw new Error('The rollback had deleted all accounts when it was killed.');
  return left;
}

/** What a complete rollback has left of a submission, and written about it. */
export async function readRollback(
  installation: Installation,
  id: string,
): Promise<{ cancelled: number; events: number; audited: number }> {
  const [row] = await installation.sql<{ cancelled: number; events: number; audited: number }>(
    `SELECT
       (SELECT count(*)::int FROM import_process WHERE submission_id = $1 AND status = 'CANCELLED'
          AND account_number IS NULL) AS cancelled,
       (SELECT count(*)::int FROM import_process_event event JOIN import_process process ON process.id = process_id
        WHERE process.submission_id = $1 AND event.event = 'ROLLED_BACK') AS events,
       (SELECT sum((details->>'rolled_back')::int)::int FROM audit_entry
        WHERE action = 'submission.rollback' AND details->>'submission' = $2) AS audited`,
    [id, id],
  );
  return row!;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram, type TestPortage, until } from '@portage/testing';
import type { FaultEnvironment } from './fault-environment';
import { countOf, type Size } from './faults';
import { accountDescendants, findForeignKeys } from './foreign-keys';
import { createBook } from './run-fault';
import { UploadingClient } from './uploading-client';

/** The submission that is rolled back, and an earlier one, which must stay as it is. */
const KEY = 'rolled-back';
const EARLIER_KEY = 'left-alone';
const EARLIER_SHARE = 0.05;
const PATTERN = `${KEY}-%`;
const KILLS = 3;
const KILL_TIMEOUT_MS = 60_000;

/** Tables of accounts that have no foreign key to one. */
const OTHER_TABLES = ['account', 'idempotency_key'];

export interface InterruptedRollback {
  /** Accounts that were left after each time that the rollback was killed. */
  left: number[];
  /** Tables that differ from what they were before the submission. */
  changedTables: string[];
  /** Accounts and processes that a rollback must not leave, and audit entries that are missing. */
  violations: string[];
}

/**
 * Imports a book through a submission, kills its rollback several times in the middle, and lets it end.
 *
 * @throws Error if a rollback ended before it was killed
 */
export async function interruptRollback(
  environment: FaultEnvironment,
  size: Size,
): Promise<InterruptedRollback> {
  const { portage } = environment;
  await environment.restore(1);
  await importBook(environment, size, EARLIER_KEY, Math.ceil(size.accounts * EARLIER_SHARE));
  const before = await summarizeTables(portage);
  const id = await importBook(environment, size, KEY, size.accounts);
  const left: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1)
    left.push(await killRollback(portage, id, (size.accounts * (KILLS + 1 - kill)) / (KILLS + 1)));
  const { rolled_back: rolledBack } = await portage.operator('submission', 'rollback', id, '--yes');
  const after = await summarizeTables(portage);
  return {
    left,
    changedTables: Object.keys(before).filter((table) => before[table] !== after[table]),
    violations: await findViolations(portage, id, size.accounts, rolledBack as number, left.at(-1)!),
  };
}

/** Uploads a book and waits for its import. @returns the id of the submission */
async function importBook(
  environment: FaultEnvironment,
  { recoveryTimeoutMs }: Size,
  key: string,
  accounts: number,
): Promise<string> {
  const client = new UploadingClient(environment.portage, createBook(key, accounts), key);
  try {
    client.allow(accounts);
    await client.send();
    await until(
      async () => (await countOf({ environment, pattern: `${key}-%` }, 'PROCESSED')) === accounts,
      recoveryTimeoutMs,
      () => client.summary(),
    );
    const differences = await client.findDifferences();
    if (differences.length > 0) throw new Error(differences.join('\n'));
    return client.id;
  } finally {
    client.stop();
  }
}

/** Starts a rollback, and kills it once at most `most` accounts are left. @returns the number of those */
async function killRollback(portage: TestPortage, id: string, most: number): Promise<number> {
  const child = spawn(process.execPath, [builtProgram('cli'), 'submission', 'rollback', id, '--yes'], {
    env: portage.env,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit') as Promise<[status: number | null]>;
  try {
    await until(
      async () => child.exitCode !== null || (await countAccounts(portage)) <= most,
      KILL_TIMEOUT_MS,
      () => 'the rollback deleted too few accounts',
    );
  } finally {
    child.kill('SIGKILL');
  }
  const [status] = await exited;
  if (status !== null) throw new Error(`The rollback ended with status ${status} before it was killed.`);
  // PostgreSQL may still be committing the last batch of the killed process.
  await until(
    async () => (await countSessions(portage)) === 0,
    KILL_TIMEOUT_MS,
    () => 'PostgreSQL still runs a statement of the killed rollback',
  );
  const left = await countAccounts(portage);
  if (left === 0) throw new Error('The rollback had deleted all accounts when it was killed.');
  return left;
}

async function countAccounts(portage: TestPortage): Promise<number> {
  const [row] = await portage.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM account WHERE external_account_number LIKE $1',
    [PATTERN],
  );
  return row!.count;
}

/** The sessions in which a transaction is open, besides the one that asks. API and worker are idle. */
async function countSessions(portage: TestPortage): Promise<number> {
  const [row] = await portage.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
       AND backend_type = 'client backend'`,
  );
  return row!.count;
}

/** What the inspection of documents writes meanwhile, also for accounts that are not rolled back. */
const INSPECTED = '{state,size,media_type,sha256,error_code,enqueued_at,inspected_at}';

/** Number and content of the rows of each table of accounts. */
async function summarizeTables(portage: TestPortage): Promise<Record<string, string>> {
  const paths = accountDescendants(await findForeignKeys(portage));
  const tables = new Set([...OTHER_TABLES, ...paths.map((path) => path.at(-1)!.child)]);
  const summaries: Record<string, string> = {};
  for (const table of tables) {
    const content = table === 'document' ? `(to_jsonb(row) - '${INSPECTED}'::text[])` : 'row';
    const [row] = await portage.sql<{ summary: string }>(
      `SELECT count(*) || ' rows, ' || coalesce(sum(hashtextextended(${content}::text, 0)), 0) AS summary
       FROM ${table} AS row`,
    );
    summaries[table] = row!.summary;
  }
  return summaries;
}

async function findViolations(
  portage: TestPortage,
  id: string,
  accounts: number,
  rolledBackLast: number,
  leftBefore: number,
): Promise<string[]> {
  const [row] = await portage.sql<{ cancelled: number; events: number; audited: number }>(
    `SELECT
       (SELECT count(*)::int FROM import_process WHERE submission_id = $1 AND status = 'CANCELLED'
          AND account_number IS NULL) AS cancelled,
       (SELECT count(*)::int FROM import_process_event event JOIN import_process process ON process.id = process_id
        WHERE process.submission_id = $1 AND event.event = 'ROLLED_BACK') AS events,
       (SELECT sum((details->>'rolled_back')::int)::int FROM audit_entry
        WHERE action = 'submission.rollback' AND details->>'submission' = $2) AS audited`,
    [id, id],
  );
  const expected = { cancelled: accounts, events: accounts, audited: accounts };
  return [
    ...(rolledBackLast === leftBefore ? [] : [`the last run rolled back ${rolledBackLast} of ${leftBefore}`]),
    ...Object.entries(expected)
      .filter(([name, count]) => row![name as keyof typeof expected] !== count)
      .map(([name, count]) => `${name}: ${row![name as keyof typeof expected]} instead of ${count}`),
  ];
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import type { Config } from '../config/config';
import { queryRows } from '../connections/row-objects';
import { clientClass, openClient } from '../connections/server-client';
import { migrateQueueSchema } from '../queues/migrate-queue-schema';
import { roleSettings } from './connection/session-settings';
import { type DatabaseSettings, dataSourceOptions } from './data-source';
import { migrations as ofThisRelease } from './migrations';
import type { Migration } from './migrations/migration';
import { realignEventFeed } from './realign-event-feed';
import { lockKey } from './schema/lock-key';
import { applicationRoleOf, ensureApplicationRole, grantApplicationRights } from './roles/application-role';

/** Advisory lock held while migrations run, so that concurrent deployments migrate one by one. */
const MIGRATION_LOCK = lockKey('migrations');
const MIGRATION_LOCK_RETRY_MS = 250;

/**
 * Maximum wait of a migration for the lock of a table. Requests queue behind the migration meanwhile, so it gives up, lets
 * them pass and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_RETRY_MS = 1_000;
/** Time for which a migration tries to get its locks. Statements of the programs end within their timeout, 30 seconds. */
const MAX_LOCK_WAIT_MS = 300_000;

const APPLICATION_NAME = 'portage migrate';

const LOCK_NOT_AVAILABLE = '55P03';

/** The database cannot be migrated as it is. The message tells the operator what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

/** How long locks are waited for, and what is migrated. Tests provide shorter times, and migrations of their own. */
export interface MigrationRun {
  timeoutMs: number;
  maxWaitMs: number;
  /** In the order in which they run. */
  migrations: readonly (new () => Migration)[];
}

const RELEASE_RUN: MigrationRun = {
  timeoutMs: LOCK_TIMEOUT_MS,
  maxWaitMs: MAX_LOCK_WAIT_MS,
  migrations: ofThisRelease,
};

/** The settings of a migration. */
export type MigrationSettings = DatabaseSettings & Partial<Pick<Config, 'MIGRATION_DATABASE_URL'>>;

/** What a migration did. */
export interface MigrationReport {
  /** Names of the migrations that ran. */
  ran: string[];
  /** The role of the application; undefined if the application owns its tables and can change the audit. */
  applicationRole: string | undefined;
}

/**
 * Runs the pending migrations, and those of the queue's schema, as the role of MIGRATION_DATABASE_URL, and grants the
 * role of DATABASE_URL what the application needs, all under one advisory lock.
 * Without MIGRATION_DATABASE_URL the role of DATABASE_URL migrates, and owns the tables. Safe to repeat.
 *
 * A migration that does not get its locks within two seconds is rolled back and tried again, for five minutes, so that
 * requests never wait behind it for longer.
 *
 * A database that a later release has migrated is left as it is: this release works with its schema, and does not know
 * which of its tables are append-only.
 *
 * @throws UnsuitableRole if the role of DATABASE_URL could change what it may only add to, or cannot be created
 * @throws UnsuitableDatabase if the database has another encoding than UTF8 or another schema, or if another transaction
 *   keeps its locks
 */
export async function migrate(
  config: MigrationSettings,
  run: MigrationRun = RELEASE_RUN,
): Promise<MigrationReport> {
  const directUrl = config.DIRECT_DATABASE_URL ?? config.DATABASE_URL;
  const migrationUrl = config.MIGRATION_DATABASE_URL ?? directUrl;
  const role = applicationRoleOf(directUrl, migrationUrl);
  const client = await openClient(migrationUrl, APPLICATION_NAME);
  try {
    await requireEncoding(client);
    await acquireMigrationLock(client);
    const before = await listRan(client);
    if (await isOfLaterRelease(client, before, run)) return { ran: [], applicationRole: role?.name };
    // Before anything changes, so that an unsuitable role leaves the database as it is.
    if (role) await ensureApplicationRole(client, role);
    await runMigrations({ ...config, DATABASE_URL: migrationUrl, DIRECT_DATABASE_URL: undefined }, run);
    const ran = (await listRan(client)).filter((name) => !before.includes(name));
    await realignEventFeed(client);
    await migrateQueueSchema(migrationUrl, role?.name);
    if (role) await grantApplicationRights(client, role);
    if (config.DIRECT_DATABASE_URL !== undefined)
      await storeRoleSettings(config.DIRECT_DATABASE_URL, roleSettings(config));
    return { ran, applicationRole: role?.name };
  } finally {
    await client.end();
  }
}

/** Stores settings with the role of the URL, which may do this for itself, for its sessions in this database. */
async function storeRoleSettings(
  url: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const client = await openClient(url, APPLICATION_NAME);
  try {
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    const database = client.escapeIdentifier(rows[0]?.name ?? '');
    for (const [name, value] of Object.entries(settings))
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${client.escapeLiteral(String(value))}`,
      );
  } finally {
    await client.end();
  }
}

/** @throws UnsuitableDatabase */
async function requireEncoding(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    `SELECT current_database() AS name, current_setting('server_encoding') AS encoding`,
  );
  const [{ name, encoding } = { name: '', encoding: '' }] = rows;
  if (encoding === 'UTF8') return;
  throw new UnsuitableDatabase(
    `The database ${name} has the encoding ${encoding}, and Portage needs UTF8: accounts may have any character. ` +
      'Nothing was migrated. The encoding of a database cannot be changed, so create another one and name it in ' +
      `DATABASE_URL and MIGRATION_DATABASE_URL: CREATE DATABASE ${name}_utf8 ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`,
  );
}

/**
 * True if a later release has migrated the database: it has all migrations of this release, and others.
 *
 * @throws UnsuitableDatabase if it has others without having all of this release: no migration leads to this schema
 */
async function isOfLaterRelease(
  client: Client,
  ran: readonly string[],
  { migrations }: MigrationRun,
): Promise<boolean> {
  const known = migrations.map((each) => new each().name);
  const unknown = ran.filter((name) => !known.includes(name));
  if (unknown.length === 0) return false;
  if (known.every((name) => name !== undefined && ran.includes(name))) return true;
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  throw new UnsuitableDatabase(
    `The database ${rows[0]?.name} has the schema of a release to which no migration of this one leads (it has ` +
      `${unknown.join(', ')}, which this release does not have). Nothing was migrated. Start with an empty database: create ` +
      'another one, name it in DATABASE_URL and MIGRATION_DATABASE_URL, run npm run migrate again, and import the accounts ' +
      'anew.',
  );
}

/**
 * Waits for the migrations of another deployment. It polls, because a statement that waits would block the migrations for
 * which it waits: an index that is built concurrently waits for all statements in progress.
 */
async function acquireMigrationLock(client: Client): Promise<void> {
  for (;;) {
    const [lock] = await queryRows<{ isAcquired: boolean }>(
      client,
      `SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS is_acquired`,
    );
    if (lock?.isAcquired) return;
    await sleep(MIGRATION_LOCK_RETRY_MS);
  }
}

async function runMigrations(settings: DatabaseSettings, run: MigrationRun): Promise<void> {
  const options = dataSourceOptions(settings, () => undefined);
  const dataSource = new DataSource({
    ...options,
    migrations: [...run.migrations],
    extra: {
      ...(options.extra as object),
      // A migration has no limit of time.
      Client: clientClass(settings.DATABASE_URL, undefined),
      statement_timeout: 0,
      lock_timeout: run.timeoutMs,
    },
  });
  await dataSource.initialize();
  try {
    await runWithLocks(dataSource, run);
  } finally {
    await dataSource.destroy();
  }
}

/** Runs the migrations, each of which is committed by itself, until all have got their locks. */
async function runWithLocks(dataSource: DataSource, { timeoutMs, maxWaitMs }: MigrationRun): Promise<void> {
  const giveUpAt = performance.now() + maxWaitMs;
  for (;;)
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > giveUpAt)
        throw new UnsuitableDatabase(
          `A migration did not get the lock of a table for ${maxWaitMs / 1_000} seconds, because a transaction is open. ` +
            'Find it with: SELECT pid, application_name, xact_start, query FROM pg_stat_activity WHERE xact_start IS NOT ' +
            'NULL ORDER BY xact_start. Migrations that have run stay: end that transaction and run npm run migrate again.',
          { cause: error },
        );
      await sleep(Math.min(LOCK_RETRY_MS, timeoutMs));
    }
}

/** The names of the migrations that have run; none if the table of migrations does not exist yet. */
async function listRan(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (tables[0]?.exists !== true) return [];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

function isLockTimeout(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    error.driverError instanceof DatabaseError &&
    error.driverError.code === LOCK_NOT_AVAILABLE
  );
}

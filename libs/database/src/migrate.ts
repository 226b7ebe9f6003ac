import type { Config } from '@portage/config';
import { ConnectionWatch } from '@portage/connections';
import type { SupplierRoot } from '@portage/domain';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { DATABASE_CONNECT_TIMEOUT_MS } from './connection/connect-timeout';
import { type DatabaseSettings, dataSourceOptions } from './data-source';
import { realignEventFeed } from './event-feed/realign-event-feed';
import { applicationRoleOf, ensureApplicationRole, grantApplicationRights } from './roles/application-role';

/** Advisory lock held while migrations run, so that concurrent deployments migrate one by one. `PORT` in ASCII. */
const MIGRATION_LOCK = 0x504f5254;

/** Reads the document roots of all suppliers, by code, for the report after the migrations. */
export async function readDocumentRoots({
  DATABASE_URL,
  MIGRATION_DATABASE_URL = DATABASE_URL,
}: Pick<MigrationSettings, 'DATABASE_URL' | 'MIGRATION_DATABASE_URL'>): Promise<SupplierRoot[]> {
  const client = new Client({
    connectionString: MIGRATION_DATABASE_URL,
    connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
    application_name: 'portage migrate',
  });
  await client.connect();
  try {
    const { rows } = await client.query<SupplierRoot>(
      `SELECT code, organisation_id AS "organisationId", document_root AS "documentRoot",
         previous_document_root AS "previousDocumentRoot"
       FROM import_supplier ORDER BY code COLLATE "C"`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

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
 * Migrates the schema of the queue.
 *
 * @param migrationUrl the database, as the role that owns the tables
 * @param applicationRole the role that uses them, where it is another one
 */
type MigrateQueues = (migrationUrl: string, applicationRole: string | undefined) => Promise<void>;

/**
 * Runs the pending migrations, then `migrateQueues` (the migrations of the queue's schema), as the role of
 * MIGRATION_DATABASE_URL, and grants the role of DATABASE_URL what the application needs, all under one advisory lock.
 * Without MIGRATION_DATABASE_URL the role of DATABASE_URL migrates, and owns the tables. Safe to repeat.
 *
 * @throws UnsuitableRole if the role of DATABASE_URL could change what it may only add to, or cannot be created
 */
export async function migrate(
  config: MigrationSettings,
  migrateQueues: MigrateQueues,
): Promise<MigrationReport> {
  const migrationUrl = config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL;
  const role = applicationRoleOf(config.DATABASE_URL, migrationUrl);
  const client = new Client({
    connectionString: migrationUrl,
    connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
    application_name: 'portage migrate',
  });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // Before anything changes, so that an unsuitable role leaves the database as it is.
    if (role) await ensureApplicationRole(client, role);
    const ran = await runMigrations({ ...config, DATABASE_URL: migrationUrl });
    await realignEventFeed(client);
    await migrateQueues(migrationUrl, role?.name);
    if (role) await grantApplicationRights(client, role);
    return { ran, applicationRole: role?.name };
  } finally {
    await client.end();
  }
}

async function runMigrations(settings: DatabaseSettings): Promise<string[]> {
  const options = dataSourceOptions(settings, () => undefined);
  // A migration has no statement timeout. Its connection is closed only if the server does not run its statement.
  const { Client } = new ConnectionWatch(settings.DATABASE_URL, { maxSilenceMs: undefined });
  const dataSource = new DataSource({
    ...options,
    extra: { ...(options.extra as object), Client, statement_timeout: 0 },
  });
  await dataSource.initialize();
  try {
    return (await dataSource.runMigrations({ transaction: 'each' })).map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

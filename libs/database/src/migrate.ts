import type { SupplierRoot } from '@portage/domain';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { type DatabaseSettings, dataSourceOptions } from './data-source';
import { DATABASE_CONNECT_TIMEOUT_MS } from './connection/connect-timeout';

/** Advisory lock held while migrations run, so that concurrent deployments migrate one by one. `PORT` in ASCII. */
const MIGRATION_LOCK = 0x504f5254;

/** Reads the document roots of all suppliers, by code, for the report after the migrations. */
export async function readDocumentRoots({
  DATABASE_URL,
}: Pick<DatabaseSettings, 'DATABASE_URL'>): Promise<SupplierRoot[]> {
  const client = new Client({
    connectionString: DATABASE_URL,
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

/**
 * Runs the pending migrations, then `migrateQueues` (the migrations of the queue's schema), under one advisory lock.
 * Safe to repeat.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(
  config: DatabaseSettings,
  migrateQueues: () => Promise<void>,
): Promise<string[]> {
  const lock = new Client({
    connectionString: config.DATABASE_URL,
    connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
    application_name: 'portage migrate',
  });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const options = dataSourceOptions(config, () => undefined);
    // A migration has no statement timeout.
    const dataSource = new DataSource({
      ...options,
      extra: { ...(options.extra as object), statement_timeout: 0 },
    });
    await dataSource.initialize();
    try {
      const ran = await dataSource.runMigrations({ transaction: 'each' });
      await migrateQueues();
      return ran.map((migration) => migration.name);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await lock.end();
  }
}

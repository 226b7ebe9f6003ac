import { DEFAULT_SCHEMA, runMigrations } from 'bullmq';
import type { Client } from 'pg';
import { openClient } from '../connections/server-client';
import { QUEUE_NAMES } from './job-contract';

/**
 * Creates or updates the tables of BullMQ's PostgreSQL backend, and grants a role their use. Safe to repeat.
 *
 * @param migrationUrl the database, as the role that owns the tables
 * @param applicationRole the role of API and workers, where it is another one
 */
export async function migrateQueueSchema(migrationUrl: string, applicationRole?: string): Promise<void> {
  const client = await openClient(migrationUrl, 'portage migrate queues');
  try {
    await runMigrations(client);
    await createSequences(client);
    if (applicationRole !== undefined) await grantRights(client, applicationRole);
  } finally {
    await client.end();
  }
}

/**
 * Creates the sequence of job ids of each queue. BullMQ creates it with the first job, which the role of the application
 * may not do.
 */
async function createSequences(client: Client): Promise<void> {
  const schema = client.escapeIdentifier(DEFAULT_SCHEMA);
  const { rows } = await client.query<{ name: string }>(
    `SELECT ${schema}.job_id_seq_name(queue) AS name FROM unnest($1::text[]) AS queue`,
    [QUEUE_NAMES],
  );
  for (const { name } of rows)
    await client.query(`CREATE SEQUENCE IF NOT EXISTS ${schema}.${client.escapeIdentifier(name)}`);
}

async function grantRights(client: Client, applicationRole: string): Promise<void> {
  const [role, schema] = [applicationRole, DEFAULT_SCHEMA].map((name) => client.escapeIdentifier(name));
  await client.query(`
    BEGIN;
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
    -- BullMQ's list of its migrations.
    REVOKE INSERT, UPDATE, DELETE ON ${schema}.migration FROM ${role};
    COMMIT`);
}

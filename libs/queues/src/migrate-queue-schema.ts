import { runMigrations } from 'bullmq';
import { Client } from 'pg';

/** Creates or updates the tables of BullMQ's PostgreSQL backend. Safe to repeat. */
export async function migrateQueueSchema(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'portage migrate queues' });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}

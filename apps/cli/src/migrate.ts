import 'reflect-metadata';
import { loadConfig } from '@portage/config';
import { migrate } from '@portage/database';
import { migrateQueueSchema } from '@portage/queues';

/** `npm run migrate`: the application's schema and the queue's, under one advisory lock. Safe to repeat. */
async function main(): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- the one place where this process reads its environment
  const config = loadConfig('cli', process.env);
  const ran = await migrate(config, async () => migrateQueueSchema(config.DATABASE_URL));
  process.stdout.write(ran.length === 0 ? 'The database is up to date.\n' : `Migrated: ${ran.join(', ')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

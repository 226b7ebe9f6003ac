import 'reflect-metadata';
import { loadConfig } from '@portage/config';
import { migrate, readMovedDocumentRoots } from '@portage/database';
import { migrateQueueSchema } from '@portage/queues';

/** `npm run migrate`: migrates the schemas of the application and of the queue, under one advisory lock. Idempotent. */
async function main(): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- this process reads its environment here only
  const config = loadConfig('cli', process.env);
  const migrations = await migrate(config, async () => migrateQueueSchema(config.DATABASE_URL));
  process.stdout.write(
    migrations.length === 0 ? 'The database is up to date.\n' : `Migrated: ${migrations.join(', ')}\n`,
  );
  const moved = await readMovedDocumentRoots(config);
  if (moved.length === 0) return;
  const lines = moved.map(
    ({ code, previousRoot, root }) =>
      `  ${JSON.stringify(code)}: from ${JSON.stringify(previousRoot)} to ${JSON.stringify(root)}\n`,
  );
  process.stdout.write(
    `The document roots of ${moved.length} suppliers were empty, not canonical or shared, and are folders of their own ` +
      `now. Move their documents:\n${lines.join('')}` +
      'Details: supplier document-roots. A supplier leaves this list with: supplier set <CODE> --document-root <root>\n',
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

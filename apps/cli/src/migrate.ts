import 'reflect-metadata';
import { loadConfig, migrate } from '@portage/platform';
import { print, printMessage } from './standard-output';

const ONE_ROLE_WARNING = `WARNING: the role of DATABASE_URL owns its tables, so API and worker can change and delete the audit.
Set MIGRATION_DATABASE_URL to this role, name another one in DATABASE_URL, and run npm run migrate again: it creates that
role with the rights that it needs.
`;

/**
 * `npm run migrate`: migrates the schemas of the application and of the queue, and grants the application's role its
 * rights, under one advisory lock. Idempotent.
 */
async function main(): Promise<void> {
  // oxlint-disable-next-line portage/no-environment -- this process reads its environment here only
  const config = loadConfig('migrate', process.env);
  const { ran, applicationRole } = await migrate(config);
  await print(ran.length === 0 ? 'The database is up to date.\n' : `Migrated: ${ran.join(', ')}\n`);
  if (applicationRole === undefined) printMessage(ONE_ROLE_WARNING);
}

main().catch((error: unknown) => {
  printMessage(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

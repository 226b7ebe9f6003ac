import 'reflect-metadata';
import { loadConfig } from '@portage/config';
import { migrate, readDocumentRoots } from '@portage/database';
import { findRootConflicts, type SupplierRoot } from '@portage/domain';
import { migrateQueueSchema } from '@portage/queues';
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
  // eslint-disable-next-line no-restricted-syntax -- this process reads its environment here only
  const config = loadConfig('migrate', process.env);
  const { ran, applicationRole } = await migrate(config, migrateQueueSchema);
  await print(ran.length === 0 ? 'The database is up to date.\n' : `Migrated: ${ran.join(', ')}\n`);
  await print(formatMovedRoots(await readDocumentRoots(config)));
  if (applicationRole === undefined) printMessage(ONE_ROLE_WARNING);
}

/** The report about suppliers whose document root a migration has changed and no operator has set since. */
function formatMovedRoots(suppliers: readonly SupplierRoot[]): string {
  const moved = suppliers.filter(({ previousDocumentRoot }) => previousDocumentRoot !== null);
  if (moved.length === 0) return '';
  const quote = (text: string | null) => JSON.stringify(text);
  const lines = moved.map((supplier) => {
    const { code, previousDocumentRoot: previous, documentRoot } = supplier;
    const conflicts = findRootConflicts(supplier, suppliers).map(quote).join(', ');
    const reason =
      conflicts !== ''
        ? `in conflict with ${conflicts}`
        : previous === ''
          ? 'the whole store'
          : 'not canonical';
    return `  ${quote(code)}: from ${quote(previous)} (${reason}) to ${quote(documentRoot)}\n`;
  });
  return (
    `The document roots of ${moved.length} suppliers have been changed to folders of their own. Move their documents:\n` +
    `${lines.join('')}List them again with: supplier document-roots. A supplier leaves the list with: ` +
    'supplier set <CODE> --document-root <root>\n'
  );
}

main().catch((error: unknown) => {
  printMessage(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

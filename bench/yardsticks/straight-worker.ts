import { createAccountsOf, theSupplier } from './by-hand/create-accounts';
import { databasePool } from './by-hand/database';
import { takeImportJobs } from './import-queue';
import { settingsOf } from './settings';

const CONCURRENCY = 16;

/** The straight way: an account is one SELECT and one statement. */
async function main(): Promise<void> {
  const settings = settingsOf('worker');
  const pool = databasePool(settings);
  const supplier = await theSupplier(pool);
  await takeImportJobs(settings, CONCURRENCY, async (processId) =>
    createAccountsOf(pool, supplier, [processId]),
  );
}

void main();

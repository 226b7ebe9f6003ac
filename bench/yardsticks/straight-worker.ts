import { createAccountsForProcesses, loadSupplier } from './by-hand/create-accounts';
import { databasePool } from './by-hand/database';
import { processImportJobs } from './import-queue';
import { readSettings } from './settings';

const CONCURRENCY = 16;

/** Performs one SELECT and one write statement per account. */
async function main(): Promise<void> {
  const settings = readSettings('worker');
  const pool = databasePool(settings);
  const supplier = await loadSupplier(pool);
  await processImportJobs(settings, CONCURRENCY, async (processId) =>
    createAccountsForProcesses(pool, supplier, [processId]),
  );
}

void main();

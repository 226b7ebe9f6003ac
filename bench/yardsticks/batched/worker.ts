import { Collector } from './collector';
import { createAccountsForProcesses, loadSupplier } from './create-accounts';
import { databasePool } from './database';
import { processImportJobs } from '../import-queue';
import { readSettings } from '../settings';

const CONCURRENCY = 75;
const MAX_ACCOUNTS = 25;
const MAX_CONCURRENT = 2;

/** Batches concurrent jobs into one SELECT and one write statement. */
async function main(): Promise<void> {
  const settings = readSettings('worker');
  const pool = databasePool(settings);
  const supplier = await loadSupplier(pool);
  const create = async (processIds: string[]): Promise<undefined[]> => {
    await createAccountsForProcesses(pool, supplier, processIds);
    return [];
  };
  const collector = new Collector<string, undefined>(create, MAX_ACCOUNTS, MAX_CONCURRENT);
  await processImportJobs(settings, CONCURRENCY, async (processId) => collector.add(processId));
}

void main();

import { Collector } from './by-hand/collector';
import { createAccountsOf, theSupplier } from './by-hand/create-accounts';
import { databasePool } from './by-hand/database';
import { takeImportJobs } from './import-queue';
import { settingsOf } from './settings';

const CONCURRENCY = 75;
const MOST_ACCOUNTS = 25;
const SLOTS = 2;

/** What is in hand at the same time is one SELECT and one statement. */
async function main(): Promise<void> {
  const settings = settingsOf('worker');
  const pool = databasePool(settings);
  const supplier = await theSupplier(pool);
  const create = async (processIds: string[]): Promise<undefined[]> => {
    await createAccountsOf(pool, supplier, processIds);
    return [];
  };
  const collector = new Collector<string, undefined>(create, MOST_ACCOUNTS, SLOTS);
  await takeImportJobs(settings, CONCURRENCY, async (processId) => collector.add(processId));
}

void main();

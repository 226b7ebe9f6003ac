import { databasePool } from './by-hand/database';
import { scheduleAccount } from './by-hand/schedule-accounts';
import { serveAccounts } from './by-hand/serve';
import { loadSupplier } from './by-hand/create-accounts';
import { importJob, importQueue } from './import-queue';
import { readSettings } from './settings';

/** Performs one insert and one `add` per POST. */
async function main(): Promise<void> {
  const settings = readSettings('api');
  const pool = databasePool(settings);
  const queue = importQueue(settings);
  const { id: supplierId } = await loadSupplier(pool);
  await serveAccounts(settings, async (posted) => {
    const { name, data, opts } = importJob(await scheduleAccount(pool, supplierId, posted));
    await queue.add(name, data, opts);
  });
}

void main();

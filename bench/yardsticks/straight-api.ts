import { databasePool } from './by-hand/database';
import { scheduleAccount } from './by-hand/schedule-accounts';
import { serveAccounts } from './by-hand/serve';
import { theSupplier } from './by-hand/create-accounts';
import { importJob, importQueue } from './import-queue';
import { settingsOf } from './settings';

/** The straight way: a POST is one insert and one `add`. */
async function main(): Promise<void> {
  const settings = settingsOf('api');
  const pool = databasePool(settings);
  const queue = importQueue(settings);
  const { id: supplierId } = await theSupplier(pool);
  await serveAccounts(settings, async (posted) => {
    const { name, data, opts } = importJob(await scheduleAccount(pool, supplierId, posted));
    await queue.add(name, data, opts);
  });
}

void main();

import { Collector } from './by-hand/collector';
import { theSupplier } from './by-hand/create-accounts';
import { databasePool } from './by-hand/database';
import { type PostedAccount, scheduleAccounts } from './by-hand/schedule-accounts';
import { serveAccounts } from './by-hand/serve';
import { importJob, importQueue } from './import-queue';
import { settingsOf } from './settings';

const MOST_ROWS = 64;
const SLOTS = 3;

/** What waits at the same time is one insert and one `addBulk`. */
async function main(): Promise<void> {
  const settings = settingsOf('api');
  const pool = databasePool(settings);
  const queue = importQueue(settings);
  const { id: supplierId } = await theSupplier(pool);
  const schedule = async (posted: PostedAccount[]): Promise<undefined[]> => {
    const processIds = await scheduleAccounts(pool, supplierId, posted);
    await queue.addBulk(processIds.map(importJob));
    return [];
  };
  const collector = new Collector<PostedAccount, undefined>(schedule, MOST_ROWS, SLOTS);
  await serveAccounts(settings, async (posted) => collector.add(posted));
}

void main();

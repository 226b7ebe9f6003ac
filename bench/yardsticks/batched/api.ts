import { Collector } from './collector';
import { loadSupplier } from './create-accounts';
import { databasePool } from './database';
import { type PostedAccount, scheduleAccounts } from './schedule-accounts';
import { serveAccounts } from './serve';
import { importJob, importQueue } from '../import-queue';
import { readSettings } from '../settings';

const MAX_ROWS = 64;
const MAX_CONCURRENT = 3;

/** Batches concurrent accounts into one insert and one `addBulk`. */
async function main(): Promise<void> {
  const settings = readSettings('api');
  const pool = databasePool(settings);
  const queue = importQueue(settings);
  const { id: supplierId } = await loadSupplier(pool);
  const schedule = async (posted: PostedAccount[]): Promise<undefined[]> => {
    const processIds = await scheduleAccounts(pool, supplierId, posted);
    await queue.addBulk(processIds.map(importJob));
    return [];
  };
  const collector = new Collector<PostedAccount, undefined>(schedule, MAX_ROWS, MAX_CONCURRENT);
  await serveAccounts(settings, async (posted) => collector.add(posted));
}

void main();

import fastify from 'fastify';
import { ajvValidator } from '../../measures/validation-json-schema';
import { importJob, importQueue } from '../import-queue';
import { readSettings } from '../settings';
import { Collector } from './collector';
import { loadSupplier } from './create-accounts';
import { databasePool } from './database';
import { readAccount } from './read-account';
import { type PostedAccount, scheduleAccounts } from './schedule-accounts';

const MAX_ROWS = 64;
const MAX_CONCURRENT = 3;

/** Bare Fastify that batches concurrent accounts into one insert and one `addBulk`. */
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
  const app = fastify();
  app.get('/health/ready', () => ({ status: 'ok' }));
  app.post('/v2/data-import/accounts/', async (request, reply) => {
    const account = readAccount(request.body);
    if (!account) return reply.status(400).send({ code: 'import_process_failed_validation' });
    await collector.add({ account, payload: JSON.stringify(request.body) });
    return reply.status(201).send({});
  });
  // For the measure of validation.
  const isValid = ajvValidator();
  app.post('/validate', async (request, reply) => {
    if (isValid(request.body)) return {};
    return reply.status(400).send({ code: 'account_failed_validation', errors: isValid.errors });
  });
  await app.listen({ port: settings.port, host: '127.0.0.1' });
  process.once('SIGTERM', () => process.exit(0));
}

void main();

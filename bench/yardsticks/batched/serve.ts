import fastify from 'fastify';
import { ajvValidator } from '../../measures/validation-json-schema';
import type { Settings } from '../settings';
import { readAccount } from './read-account';
import type { PostedAccount } from './schedule-accounts';

/** Plain Fastify: validates each posted account, passes it to `schedule` and responds with 201. */
export async function serveAccounts(
  { port }: Settings,
  schedule: (posted: PostedAccount) => Promise<void>,
): Promise<void> {
  const app = fastify();
  app.get('/health/ready', () => ({ status: 'ok' }));
  app.post('/v2/data-import/accounts/', async (request, reply) => {
    const account = readAccount(request.body);
    if (!account) return reply.status(400).send({ code: 'import_process_failed_validation' });
    await schedule({ account, payload: JSON.stringify(request.body) });
    return reply.status(201).send({});
  });
  // For the measure of validation.
  const isValid = ajvValidator();
  app.post('/validate', async (request, reply) => {
    if (isValid(request.body)) return {};
    return reply.status(400).send({ code: 'account_failed_validation', errors: isValid.errors });
  });
  await app.listen({ port, host: '127.0.0.1' });
  process.once('SIGTERM', () => process.exit(0));
}

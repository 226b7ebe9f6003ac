import { Account } from '@portage/account-schema';
import { Ajv } from 'ajv';
import fastify from 'fastify';
import { jsonSchemaOf } from '../measures/validation-json-schema';
import { databasePool } from './by-hand/database';
import { readSettings } from './settings';

const LIST_CHUNK = 5_000;

const readStatus = {
  name: 'read-status',
  text: `
    SELECT status, account_number, created_at, modified_at, latest_event, latest_event_at, error_code, error_detail
    FROM import_process WHERE id = $1`,
};

const readList = {
  name: 'read-list',
  text: `
    SELECT id, external_account_number, account_number, account_created_at FROM import_process
    WHERE id > $1 AND status <> 'CANCELLED' ORDER BY id LIMIT $2`,
};

interface ListItem {
  id: string;
  external_account_number: string;
  account_number: string | null;
  account_created_at: Date | null;
}

/** Plain Fastify without token, log and rules: the minimum cost of a response. */
async function main(): Promise<void> {
  const settings = readSettings('api');
  const pool = databasePool(settings);
  const { schema, formats } = jsonSchemaOf(Account);
  const isValid = new Ajv({ allErrors: true, discriminator: true, strict: false, formats }).compile(schema);
  const app = fastify();
  app.get('/health/ready', () => ({ status: 'ok' }));

  app.post('/validate', async (request, reply) => {
    if (isValid(request.body)) return {};
    return reply.status(400).send({ code: 'account_failed_validation', errors: isValid.errors });
  });

  app.get<{ Params: { id: string } }>('/status/:id', async (request, reply) => {
    const { rows } = await pool.query<object>({ ...readStatus, values: [request.params.id] });
    return rows[0] ?? reply.status(404).send({ code: 'not_found' });
  });

  app.get('/list', async (_request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'application/json' });
    let after = '0';
    let separator = '[';
    for (;;) {
      const { rows } = await pool.query<ListItem>({ ...readList, values: [after, LIST_CHUNK] });
      const items = rows.map(({ id: _id, ...item }) => JSON.stringify(item));
      if (!raw.write(separator + items.join(','))) await new Promise((resolve) => raw.once('drain', resolve));
      if (rows.length < LIST_CHUNK) break;
      after = rows.at(-1)?.id ?? after;
      separator = ',';
    }
    raw.end(']');
  });

  await app.listen({ port: settings.port, host: '127.0.0.1' });
  process.once('SIGTERM', () => process.exit(0));
}

void main();

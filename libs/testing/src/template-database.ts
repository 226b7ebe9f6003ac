import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A migrated, empty database that every test database is a copy of. */
export const TEMPLATE_DATABASE = 'portage_template';

/** Makes an empty, migrated database. The server lives for one run, so nobody drops it. */
export async function newDatabase(): Promise<string> {
  const server = process.env['PORTAGE_TEST_POSTGRES'];
  if (!server) throw new Error('Integration tests need the global setup of jest.config.cjs.');
  const name = `portage_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY WAL_LOG`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

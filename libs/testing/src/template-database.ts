import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A migrated, empty database. */
export const EMPTY_TEMPLATE = 'portage_template';
/** A migrated database with an organisation, an API key of it and a supplier. */
export const SUPPLIER_TEMPLATE = 'portage_supplier_template';

/** The role of the programs under test. The tests themselves connect as the superuser, which owns the tables. */
const APPLICATION_ROLE = { username: 'portage_app', password: 'application' };

/** The address of a database of the run's server as the role of the application. */
export function applicationUrl(databaseUrl: string): string {
  return Object.assign(new URL(databaseUrl), APPLICATION_ROLE).href;
}

/** Creates a database from a template. The server lives for one run, so the database is not dropped. */
export async function newDatabase(template = EMPTY_TEMPLATE): Promise<string> {
  return copyDatabase(template, `portage_${randomBytes(6).toString('hex')}`);
}

export async function copyDatabase(template: string, name: string): Promise<string> {
  const server = process.env['PORTAGE_TEST_POSTGRES'];
  if (!server) throw new Error('Tests with a database need the global setup of jest.config.cjs.');
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY WAL_LOG`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

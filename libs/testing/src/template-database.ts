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

/**
 * Stores the passwords again with one iteration of SCRAM instead of 4,096: a run opens thousands of connections, and client
 * and server derive a key for each.
 */
export async function shortenLogins(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('SET scram_iterations = 1');
    const owner = new URL(serverUrl);
    for (const { username, password } of [owner, APPLICATION_ROLE])
      await client.query(
        `ALTER ROLE ${client.escapeIdentifier(username)} PASSWORD ${client.escapeLiteral(password)}`,
      );
  } finally {
    await client.end();
  }
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
    // Copying files takes a quarter of the processor time of logging each page. Its checkpoints are cheap without fsync.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

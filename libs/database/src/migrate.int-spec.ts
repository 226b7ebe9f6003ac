import { randomBytes } from 'node:crypto';
import { newDatabase } from '@portage/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';
import { migrate, UnsuitableDatabase } from './migrate';

const settings = { DATABASE_POOL: 4, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 };
const withoutQueues = async () => Promise.resolve();
const SHORT = { timeoutMs: 50, maxWaitMs: 300 };

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An empty database with another encoding than that of the server. */
async function databaseWithEncoding(encoding: string): Promise<string> {
  const url = new URL(await newDatabase('template0'));
  const name = `portage_${randomBytes(6).toString('hex')}`;
  await withClient(url.href, async (client) =>
    client.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`,
    ),
  );
  url.pathname = `/${name}`;
  return url.href;
}

/** Migrates a new database and takes the last migration back. Returns the database and the name of that migration. */
async function beforeLastMigration(): Promise<{ url: string; last: string }> {
  const url = await newDatabase('template0');
  const { ran } = await migrate({ ...settings, DATABASE_URL: url }, withoutQueues);
  const dataSource = new DataSource(dataSourceOptions({ ...settings, DATABASE_URL: url }, () => undefined));
  await dataSource.initialize();
  await dataSource.undoLastMigration();
  await dataSource.destroy();
  return { url, last: ran.at(-1)! };
}

/** Every migration adds itself to this table at its end, with the locks that it has by then. */
const BLOCK_MIGRATIONS = 'BEGIN; LOCK TABLE migrations IN SHARE MODE';

describe('npm run migrate', () => {
  it.each(['LATIN1', 'SQL_ASCII'])(
    'refuses a database with the encoding %s and says how to mend it',
    async (encoding) => {
      const url = await databaseWithEncoding(encoding);
      const refused = migrate({ ...settings, DATABASE_URL: url }, withoutQueues);
      await expect(refused).rejects.toThrow(UnsuitableDatabase);
      await expect(refused).rejects.toThrow(
        new RegExp(
          `has the encoding ${encoding}, and Portage needs UTF8.*CREATE DATABASE portage_.* ENCODING 'UTF8'`,
        ),
      );
      const { rows } = await withClient(url, async (client) =>
        client.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
      );
      expect(rows).toEqual([]);
    },
  );

  it('lets requests pass while a transaction keeps a lock from it, and migrates once that has ended', async () => {
    const { url, last } = await beforeLastMigration();
    await withClient(url, async (holder) => {
      await holder.query(BLOCK_MIGRATIONS);
      const waits = { ...SHORT, maxWaitMs: 60_000 };
      const waiting = migrate({ ...settings, DATABASE_URL: url }, withoutQueues, waits);
      await withClient(url, async (client) => {
        await client.query('SET statement_timeout = 10000');
        for (let request = 0; request < 20; request += 1)
          await client.query('UPDATE import_supplier SET code = code');
      });
      await holder.query('COMMIT');
      expect((await waiting).ran).toEqual([last]);
    });
  });

  it('gives up after a time, and says how to find the transaction that is open', async () => {
    const { url } = await beforeLastMigration();
    await withClient(url, async (holder) => {
      await holder.query(BLOCK_MIGRATIONS);
      await expect(migrate({ ...settings, DATABASE_URL: url }, withoutQueues, SHORT)).rejects.toThrow(
        /did not get the lock of a table for 0.3 seconds.*pg_stat_activity.*run npm run migrate again/s,
      );
    });
  });
});

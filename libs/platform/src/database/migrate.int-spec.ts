import { randomBytes } from 'node:crypto';
import { newDatabase } from '@portage/testing';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate, UnsuitableDatabase } from './migrate';
import { FirstSchema1796000000000 } from './migrations/1796000000000-first-schema';

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

/** A migration after those of this release. */
class LaterMigration1999999999999 implements MigrationInterface {
  readonly name = 'LaterMigration1999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE later (id integer PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE later');
  }
}

const migrations = [FirstSchema1796000000000, LaterMigration1999999999999];

/** A new database, migrated to this release. */
async function migratedDatabase(): Promise<string> {
  const url = await newDatabase('template0');
  await migrate({ ...settings, DATABASE_URL: url }, withoutQueues);
  return url;
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

  it('refuses the schema of a 0.x release, leaves it as it is, and says what to do', async () => {
    const url = await newDatabase('template0');
    await withClient(url, async (client) => {
      await client.query(
        `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
         INSERT INTO migrations (timestamp, name) VALUES (1795219200000, 'FirstSchema1795219200000'),
           (1795720000000, 'OperatorViewIndexes1795720000000')`,
      );
      const refused = migrate({ ...settings, DATABASE_URL: url }, withoutQueues);
      await expect(refused).rejects.toThrow(UnsuitableDatabase);
      await expect(refused).rejects.toThrow(
        /schema of a 0\.x release \(its last migration is OperatorViewIndexes1795720000000\).*Nothing was migrated.*empty database/,
      );
      const { rows } = await client.query(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
      );
      expect(rows).toEqual([{ name: 'migrations' }]);
    });
  });

  it('lets requests pass while a transaction keeps a lock from it, and migrates once that has ended', async () => {
    const url = await migratedDatabase();
    await withClient(url, async (holder) => {
      await holder.query(BLOCK_MIGRATIONS);
      const run = { ...SHORT, maxWaitMs: 60_000, migrations };
      const waiting = migrate({ ...settings, DATABASE_URL: url }, withoutQueues, run);
      await withClient(url, async (client) => {
        await client.query('SET statement_timeout = 10000');
        for (let request = 0; request < 20; request += 1)
          await client.query('UPDATE import_supplier SET code = code');
      });
      await holder.query('COMMIT');
      expect((await waiting).ran).toEqual(['LaterMigration1999999999999']);
    });
  });

  it('gives up after a time, and says how to find the transaction that is open', async () => {
    const url = await migratedDatabase();
    await withClient(url, async (holder) => {
      await holder.query(BLOCK_MIGRATIONS);
      const run = { ...SHORT, migrations };
      await expect(migrate({ ...settings, DATABASE_URL: url }, withoutQueues, run)).rejects.toThrow(
        /did not get the lock of a table for 0.3 seconds.*pg_stat_activity.*run npm run migrate again/s,
      );
    });
  });
});

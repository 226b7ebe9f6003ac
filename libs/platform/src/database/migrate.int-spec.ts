import { randomBytes } from 'node:crypto';
import { newDatabase } from '@portage/testing';
import { DEFAULT_SCHEMA } from 'bullmq';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrate, UnsuitableDatabase } from './migrate';
import { migrations as ofThisRelease } from './migrations';
import type { Migration } from './migrations/migration';

const settings = { DATABASE_POOL: 4, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 };

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
class LaterMigration1999999999999 implements Migration {
  readonly name = 'LaterMigration1999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE later (id integer PRIMARY KEY)');
  }
}

const SHORT = { timeoutMs: 50, maxWaitMs: 300, migrations: [...ofThisRelease, LaterMigration1999999999999] };

/** A new database, migrated to this release. */
async function migratedDatabase(): Promise<string> {
  const url = await newDatabase('template0');
  await migrate({ ...settings, DATABASE_URL: url });
  return url;
}

/** Every migration adds itself to this table at its end, with the locks that it has by then. */
const BLOCK_MIGRATIONS = 'BEGIN; LOCK TABLE migrations IN SHARE MODE';

describe('npm run migrate', () => {
  it.each(['LATIN1', 'SQL_ASCII'])(
    'refuses a database with the encoding %s and says how to mend it',
    async (encoding) => {
      const url = await databaseWithEncoding(encoding);
      const refused = migrate({ ...settings, DATABASE_URL: url });
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

  it('refuses a database with other migrations before it changes anything, and says what to do', async () => {
    const url = await newDatabase('template0');
    const role = `role_${randomBytes(6).toString('hex')}`;
    await withClient(url, async (client) => {
      await client.query(
        `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
         INSERT INTO migrations (timestamp, name) VALUES (1795219200000, 'FirstSchema1795219200000'),
           (1999999999999, 'LaterMigration1999999999999')`,
      );
      const application = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
      const config = { ...settings, DATABASE_URL: application, MIGRATION_DATABASE_URL: url };
      const refused = migrate(config);
      await expect(refused).rejects.toThrow(UnsuitableDatabase);
      await expect(refused).rejects.toThrow(
        /it has FirstSchema1795219200000, LaterMigration1999999999999, which.*Nothing was migrated.*empty database/,
      );
      const { rows } = await client.query(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         UNION ALL SELECT rolname FROM pg_roles WHERE rolname = $1`,
        [role],
      );
      expect(rows).toEqual([{ name: 'migrations' }]);
    });
  });

  it('leaves a database as it is that a later release has migrated', async () => {
    const url = await migratedDatabase();
    await migrate({ ...settings, DATABASE_URL: url }, SHORT);
    const role = `role_${randomBytes(6).toString('hex')}`;
    const application = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
    const config = { ...settings, DATABASE_URL: application, MIGRATION_DATABASE_URL: url };
    await withClient(url, async (client) => {
      await client.query(`DROP SCHEMA ${DEFAULT_SCHEMA} CASCADE`);
      expect((await migrate(config)).ran).toEqual([]);
      const { rows } = await client.query(
        'SELECT FROM pg_roles WHERE rolname = $1 UNION ALL SELECT FROM pg_namespace WHERE nspname = $2',
        [role, DEFAULT_SCHEMA],
      );
      expect(rows).toEqual([]);
    });
  });

  it('lets requests pass while a transaction keeps a lock from it, and migrates once that has ended', async () => {
    const url = await migratedDatabase();
    await withClient(url, async (holder) => {
      await holder.query(BLOCK_MIGRATIONS);
      const run = { ...SHORT, maxWaitMs: 60_000 };
      const waiting = migrate({ ...settings, DATABASE_URL: url }, run);
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
      await expect(migrate({ ...settings, DATABASE_URL: url }, SHORT)).rejects.toThrow(
        /did not get the lock of a table for 0.3 seconds.*pg_stat_activity.*run npm run migrate again/s,
      );
    });
  });
});
